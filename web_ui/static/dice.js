// Dice by taps: six keys for a throw, the dice themselves for a reroll. What is chosen is kept in the
// form's own fields, so that without this script the fields do the same. And the last round, told once.
"use strict";

(() => {
  document.documentElement.classList.add("scripted");

  // -- a throw ------------------------------------------------------------------------------------

  const rows = (pad) => [...pad.querySelectorAll("fieldset")];
  const chosen = (row) => row.querySelector("input:checked");

  // The faces as they lie, the lowest first, in the order of the keys.
  function lying(pad) {
    const order = [...pad.querySelectorAll("[data-face]")].map((key) => key.dataset.face);
    const values = rows(pad).map((row) => chosen(row)?.value).filter((value) => value !== undefined);
    return values.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  }

  function add(pad, face) {
    const free = rows(pad).find((row) => !chosen(row));
    if (!free) return;
    [...free.querySelectorAll("input")].find((input) => input.value === face).checked = true;
    changed(pad);
  }

  function remove(pad, face) {
    const row = rows(pad).findLast((each) => chosen(each)?.value === face);
    if (row) chosen(row).checked = false;
    changed(pad);
  }

  function changed(form) {
    form.querySelector("input:not([type=hidden]), select").dispatchEvent(new Event("change", { bubbles: true }));
    paint();
  }

  function paintPad(pad) {
    const values = lying(pad), slots = [...pad.querySelectorAll("[data-slot]")];
    slots.forEach((slot, at) => {
      const face = values[at];
      if ((slot.dataset.slot || undefined) === face && slot.getAttribute("aria-label")) return;
      slot.dataset.slot = face ?? "";
      const key = [...pad.querySelectorAll("[data-face]")].find((each) => each.dataset.face === face);
      slot.replaceChildren(...(key ? [key.firstElementChild.cloneNode(true)] : []));
      slot.setAttribute("aria-label", key ? `Take away ${JSON.parse(face)}` : "Empty");
    });
    const full = values.length === slots.length;
    for (const key of pad.querySelectorAll("[data-face]")) key.disabled = full;
    const send = pad.querySelector("button[name=ask]");
    if (send.getAttribute("aria-busy") !== "true") send.disabled = !full;
    send.dataset.words ??= send.textContent;
    const left = slots.length - values.length;
    const words = full ? send.dataset.words : left === 1 ? "Tap 1 more die" : `Tap ${left} ${values.length ? "more " : ""}dice`;
    if (send.textContent !== words) send.textContent = words;
  }

  // -- a reroll -----------------------------------------------------------------------------------

  const options = (picker) => [...picker.querySelectorAll("option")];
  const faces = (option) => JSON.parse(option.dataset.dice).map((face) => JSON.stringify(face));
  const sorted = (values) => JSON.stringify([...values].sort());
  const taken = new WeakMap(); // of a picker: its dice that are chosen, the first one tapped first

  function optionFor(picker, dice) {
    const wanted = sorted(dice.map((die) => die.dataset.pick));
    return options(picker).find((option) => sorted(faces(option)) === wanted);
  }

  // The dice that the form's field says, each of them once.
  function diceOf(picker) {
    const known = taken.get(picker);
    const option = picker.querySelector("select").selectedOptions[0];
    if (known && known.every((die) => die.isConnected) && optionFor(picker, known) === option) return known;
    const dice = [...picker.querySelectorAll("[data-pick]")], found = [];
    for (const face of faces(option)) {
      found.push(dice.find((die) => die.dataset.pick === face && !found.includes(die)));
    }
    taken.set(picker, found);
    return found;
  }

  // One more than may be rerolled, and the one that was chosen first stays after all.
  function toggle(picker, die) {
    const before = diceOf(picker);
    let after = before.includes(die) ? before.filter((each) => each !== die) : [...before, die];
    for (let at = 0; at < before.length && !optionFor(picker, after); at += 1) {
      after = after.filter((each) => each !== before[at] || each === die);
      if (!optionFor(picker, after)) after = [...before.slice(0, at), ...before.slice(at + 1), die];
    }
    const option = optionFor(picker, after);
    if (!option) return;
    taken.set(picker, after);
    option.selected = true;
    changed(picker);
  }

  function paintPicker(picker) {
    const dice = diceOf(picker), option = picker.querySelector("select").selectedOptions[0];
    for (const die of picker.querySelectorAll("[data-pick]")) die.setAttribute("aria-pressed", dice.includes(die));
    const send = picker.querySelector("button.main");
    const detail = document.createElement("small");
    detail.textContent = option.dataset.detail;
    if (send.textContent !== option.dataset.words + option.dataset.detail) {
      send.replaceChildren(option.dataset.words, detail);
    }
  }

  // -- the last round -------------------------------------------------------------------------------

  const LOUD = 20000; // ms on a screen that nobody touches
  const MEANT = 700; // ms until a tap on what has just come is taken for meant
  let since = 0;

  const heard = () => "heard last round: " + root().dataset.page;

  function paintCall() {
    const call = document.querySelector(".last-call");
    if (!call) {
      since = 0;
      if (document.querySelector(".countdown:not(.at-last)")) localStorage.removeItem(heard());
      return;
    }
    since ||= performance.now();
    call.hidden = localStorage.getItem(heard()) !== null;
    if (!call.hidden && call.closest(".table")) setTimeout(hush, LOUD);
  }

  function hush() {
    localStorage.setItem(heard(), "1");
    paintCall();
  }

  // -- together -------------------------------------------------------------------------------------

  function paint() {
    document.querySelectorAll(".pad.keyed").forEach(paintPad);
    document.querySelectorAll(".picker").forEach(paintPicker);
    paintCall();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.face) add(button.form, button.dataset.face);
    else if (button.dataset.slot) remove(button.form, button.dataset.slot);
    else if (button.dataset.pick) toggle(button.form, button);
    else if ("heard" in button.dataset && performance.now() - since > MEANT) hush();
  });
  document.addEventListener("shown", paint);
  document.addEventListener("reset", () => setTimeout(paint));
  paint();
})();
