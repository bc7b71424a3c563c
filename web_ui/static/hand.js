// One's own hand: covered until it is wanted, its cards tapped to play them or to say what they are. Without
// this script the cover is opened by a tap and every choice is a button of its own.
"use strict";

(() => {
  const COVER = 30000; // ms without a touch until an open hand is covered again
  const HOLD = 250; // ms after which a finger on the cover is there for a glance

  // -- the cover ----------------------------------------------------------------------------------

  const guard = () => document.querySelector("details.guard");
  let idle = null, holding = null, glance = false, let_go = -Infinity;

  function cover() {
    if (guard()) guard().open = false;
  }

  function touched() {
    clearTimeout(idle);
    idle = setTimeout(cover, COVER);
  }

  function release() {
    clearTimeout(holding);
    if (!glance) return;
    glance = false;
    let_go = performance.now();
    cover();
  }

  for (const kind of ["pointerdown", "keydown", "toggle"]) document.addEventListener(kind, touched, true);
  // Who takes up the phone next may be somebody else.
  document.addEventListener("visibilitychange", () => document.hidden && cover());
  window.addEventListener("pagehide", cover);

  document.addEventListener("pointerdown", (event) => {
    const summary = event.target.closest(".guard > summary");
    if (!summary || guard().open) return;
    holding = setTimeout(() => (glance = guard().open = true), HOLD);
  });
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);
  document.addEventListener("contextmenu", (event) => event.target.closest(".guard > summary") && event.preventDefault());
  document.addEventListener("click", (event) => {
    // The finger that ends a glance does not open it for good.
    if (event.target.closest(".guard > summary") && performance.now() - let_go < 400) event.preventDefault();
  }, true);

  // -- what is played -----------------------------------------------------------------------------

  let picked = { hand: "", places: [] }; // in a hand that is no longer the same nothing is chosen

  const plays = (hand) => [...hand.querySelectorAll("[data-held]")];
  const places = (play) => play.dataset.held.split(" ");
  const together = (hand, some) => plays(hand).filter((play) => some.every((place) => places(play).includes(place)));

  function toggle(hand, place) {
    let now = picked.places.includes(place) ? picked.places.filter((each) => each !== place) : [...picked.places, place];
    if (now.length && !together(hand, now).length && now.includes(place)) now = [place];
    picked = { hand: hand.dataset.hand, places: now.sort((a, b) => a - b) };
    paint();
  }

  function paintPlays(hand) {
    const cards = [...hand.querySelectorAll("[data-hold]")];
    if (!cards.length) return;
    if (picked.hand !== hand.dataset.hand) picked = { hand: hand.dataset.hand, places: [] };
    const chosen = picked.places.join(" "), fitting = together(hand, picked.places);
    for (const card of cards) {
      card.setAttribute("aria-pressed", picked.places.includes(card.dataset.hold));
      card.classList.toggle("lit", fitting.some((play) => places(play).includes(card.dataset.hold)));
    }
    for (const play of plays(hand)) play.hidden = play.dataset.held !== chosen;
    const hint = hand.querySelector("[data-hint]");
    hint.dataset.words ??= hint.textContent;
    hint.hidden = plays(hand).some((play) => !play.hidden);
    hint.textContent = !chosen ? hint.dataset.words
      : fitting.length ? "Tap more of those with a rim." : "That does not beat what lies there.";
  }

  // -- what the cards are -------------------------------------------------------------------------

  const slots = (form) => [...form.querySelectorAll("[data-free]")];
  const key = (form, card) => [...form.querySelectorAll("[data-key]")].find((each) => each.dataset.key === card);

  function put(form, slot, card) {
    slot.dataset.free = card;
    // The table's fresh page leaves a form alone in which something was chosen.
    form.elements.on.dispatchEvent(new Event("change", { bubbles: true }));
    paint();
  }

  function take(form, slot) {
    const rest = slots(form);
    const cards = rest.filter((each) => each !== slot).map((each) => each.dataset.free);
    rest.forEach((each, at) => (each.dataset.free = cards[at] ?? ""));
    put(form, rest.at(-1), "");
  }

  function paintEnter(form) {
    const row = form.querySelector(".slots"), send = form.querySelector("[data-enter]");
    if (!row || !send) return;
    row.hidden = send.hidden = false;
    for (const slot of slots(form)) {
      const from = slot.dataset.free && key(form, slot.dataset.free);
      slot.replaceChildren(...(from ? [from.firstElementChild.cloneNode(true)] : []));
      slot.setAttribute("aria-label", from ? `Take away ${slot.dataset.free}` : "Empty");
    }
    const told = slots(form).map((slot) => slot.dataset.free).filter(Boolean), left = slots(form).length - told.length;
    for (const each of form.querySelectorAll("[data-key]")) each.disabled = !left;
    send.dataset.words ??= send.textContent;
    if (send.getAttribute("aria-busy") !== "true") send.disabled = !told.length;
    const words = left ? (told.length ? `Enter these ${told.length}, ${left} later` : `Tap ${left} cards`) : send.dataset.words;
    if (send.textContent !== words) send.textContent = words;
    const actions = told.map((card) => JSON.parse(key(form, card).value).action);
    send.value = JSON.stringify({ ask: "do_all", actions });
  }

  // -- together -----------------------------------------------------------------------------------

  function paint() {
    document.querySelectorAll(".guard").forEach(paintPlays);
    document.querySelectorAll("form.enter").forEach(paintEnter);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if ("hold" in button.dataset) toggle(button.closest(".guard"), button.dataset.hold);
    else if ("free" in button.dataset && button.dataset.free) take(button.form, button);
    else if ("key" in button.dataset && slots(button.form).length) {
      event.preventDefault();
      const free = slots(button.form).find((slot) => !slot.dataset.free);
      if (free) put(button.form, free, button.dataset.key);
    }
  });
  document.addEventListener("shown", paint);
  document.addEventListener("reset", (event) => {
    for (const slot of slots(event.target)) slot.dataset.free = "";
    setTimeout(paint);
  });
  paint();
})();
