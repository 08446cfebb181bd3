// A small still video, during which browsers keep the screen on: for pages over plain HTTP, which get
// no wake lock. See table.js, which loads this.
export function film(src, changed) {
  const video = document.createElement("video");
  video.className = "awake";
  video.ariaHidden = "true";
  video.playsInline = true;
  video.muted = !("GestureEvent" in window);   // in Safari the screen goes dark during a muted video,
  video.ontimeupdate = () => { if (video.currentTime > 4) video.currentTime = 0; };   // or one that loops
  video.onplaying = video.onpause = changed;
  video.src = src;
  document.body.append(video);
  return video;
}
