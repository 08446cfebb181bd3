// Sharing: with the phone's own share sheet; else the picture is saved, or the address copied; else
// the plain link is opened.
"use strict";

const WIDEST = 6000; // a larger canvas stays empty on some phones

async function loaded(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  return image;
}

// Draws a card in the middle of a picture, here because the phone has fonts that a server may lack.
function drawn(image, width, height, type, quality) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#F7F2E7";
  pen.fillRect(0, 0, width, height);
  const wide = (height * image.naturalWidth) / image.naturalHeight;
  pen.drawImage(image, (width - wide) / 2, 0, wide, height);
  return new Promise((done) => canvas.toBlob(done, type, quality));
}

async function picture(link) {
  const image = await loaded(link);
  const scale = Math.min(2, WIDEST / image.naturalWidth);
  const size = [image.naturalWidth, image.naturalHeight].map((side) => Math.round(side * scale));
  const blob = await drawn(image, ...size, "image/png");
  return new File([blob], link.dataset.card, { type: "image/png" });
}

// The picture that messengers show beside the link; the server keeps it as long as the result is
// unchanged.
async function keep(link) {
  const body = await drawn(await loaded(link), 1200, 630, "image/jpeg", 0.8);
  const headers = { "Content-Type": "image/jpeg" };
  await fetch(link.dataset.keep, { method: "POST", body, headers });
}

async function sendPicture(link) {
  const file = await picture(link);
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] });
    return;
  }
  const save = document.createElement("a");
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.click();
  URL.revokeObjectURL(save.href);
}

async function sendLink(link) {
  if (navigator.share) {
    await navigator.share({ title: link.title || document.title, url: link.href });
    return;
  }
  await navigator.clipboard.writeText(link.href);
  const words = link.querySelector("span") || link;
  words.textContent = link.dataset.share;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-card], a[data-share]");
  if (!link || ("share" in link.dataset && !navigator.share && !navigator.clipboard)) return;
  event.preventDefault();
  ("card" in link.dataset ? sendPicture : sendLink)(link).catch((fault) => {
    if (fault.name !== "AbortError") location.assign(link.href);
  });
});

// Without it the link has the picture of the game.
for (const link of document.querySelectorAll("a[data-keep]")) keep(link).catch(() => {});
