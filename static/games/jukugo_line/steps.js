// 熟語ライン: the card that was tapped, on the tiles of the next step.

function copy(key, tile) {   // the value of a kanji
  const value = one(":scope>b", key);
  tile.classList.add(value ? `v${value.textContent}` : "v0");
  if (value) tile.append(value.cloneNode(true));
}
