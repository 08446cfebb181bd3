// The result card as a PNG: drawn here because the phone has the fonts that a server may lack.
const link = document.querySelector("a[data-card]");

async function picture() {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 1680];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], link.dataset.card, { type: "image/png" });
}

async function share(event) {
  event.preventDefault();
  const file = await picture();
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

link?.addEventListener("click", (event) => {
  share(event).catch((fault) => {
    if (fault.name !== "AbortError") location.assign(link.href);
  });
});
