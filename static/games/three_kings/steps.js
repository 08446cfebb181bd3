// Three Kings: the table cards that make a set with the card that was tapped.

// Marks table cards that go with what was tapped, with the signs of the sets that each is in.
function light(signs, fresh) {
  every(".tableau .card", fresh).forEach((card, i) => {
    if (!signs[i]) return;
    const lit = document.createElement("span"), mark = document.createElement("i");
    const pick = every(".pick", fresh).find((one) => one.firstChild.textContent === signs[i]);
    const own = document.createElement(pick ? "button" : "span");
    if (pick) {
      own.name = "line";
      own.value = pick.value;
      own.setAttribute("form", "play");
    }
    card.replaceWith(lit);
    own.className = `${card.className.replace(" laid", "")} can`;
    own.append(...card.childNodes);
    lit.className = "lit";
    mark.textContent = signs[i];
    lit.append(own, mark);
  });
}
