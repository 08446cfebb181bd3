// Sending: the phone's own share sheet; else the picture is saved, or the address copied; else the
// plain link opens what it leads to.
"use strict";

// The result card as a PNG: drawn here because the phone has the fonts that a server may lack.
async function picture(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 1680];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], link.dataset.card, { type: "image/png" });
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
