// Pairs Daifugo: keys of a pyramid lead to a list of its cards.

const itemOf = ({ id }) => /^of-(.+)/.exec(id)?.[1];
// ``key`` recorded its item alone; in the step it leads to a list with this item.
function itself(key, name, seat, stepTo) {
  const [, first, , item] = bare(key.value).split(" "), value = `${first}:${item}`, link = document.createElement("a");
  if (!stepTo(value)) return;
  link.append(...key.childNodes);
  key.replaceWith(Object.assign(link, { id: `of-${item}`, className: key.className, href: `?${new URLSearchParams({ seat, [name]: value })}` }));
}
// ``key`` adds its item to the list, or removes it.
function among(key, name, first, list, stepTo) {
  const params = new URLSearchParams(queryOf(key)), item = itemOf(key), on = list.includes(item);
  if (params.get(name)?.split(":")[0] !== first) return;
  const items = on ? list.filter((other) => other !== item) : [...list, item].sort();
  const value = items[0] ? `${first}:${items.join(" ")}` : first;
  if (stepTo(value)) params.set(name, value);
  else params.delete(name);
  key.href = `?${params}`;
  key.classList.toggle("on", on);
  if (on) key.ariaCurrent = "true";
}
