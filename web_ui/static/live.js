// Keeps a page live and sends what is asked. The table's word is always the whole page; what a
// person has opened, typed or chosen survives it.
"use strict";

const DEAD_AFTER = 10000; // ms without a word from the table
const TICK = 1000;

const root = () => document.getElementById("page");
const dead = document.getElementById("dead");

// -- the stream ---------------------------------------------------------------------------------

let source = null;
let heard = Date.now();
let opened = 0;
let again = null;

function open() {
  if (!root().dataset.page) return;
  clearTimeout(again);
  source?.close();
  opened = Date.now();
  source = new EventSource("/events?page=" + encodeURIComponent(root().dataset.page));
  source.addEventListener("open", hear);
  source.addEventListener("beat", hear);
  source.addEventListener("page", (event) => {
    hear();
    show(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    // A browser gives up for good when it is told 503; we do not.
    if (source.readyState === EventSource.CLOSED) again = setTimeout(open, 2000);
  });
}

function hear() {
  heard = Date.now();
  dead.hidden = true;
}

// A phone that wakes may hold a line that looks open and is dead: never trust it, take a new one.
function wake() {
  if (document.visibilityState === "visible" && Date.now() - opened > 250) open();
}

document.addEventListener("visibilitychange", wake);
document.addEventListener("resume", wake);
window.addEventListener("pageshow", (event) => event.persisted && wake());
window.addEventListener("online", wake);
window.addEventListener("pagehide", () => source?.close());

let ticked = Date.now();
setInterval(() => {
  const now = Date.now();
  const slept = now - ticked > 5 * TICK;
  ticked = now;
  if (!root().dataset.page) return;
  if (slept) {
    wake();
  } else if (now - heard > DEAD_AFTER) {
    dead.hidden = false;
    if (now - opened > DEAD_AFTER / 2) open();
  }
}, TICK);

// -- showing what the table says ------------------------------------------------------------------

let owed = ""; // a page that leads away and came while something was being sent

function show(html) {
  owed = "";
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("page");
  const is = fresh.dataset, was = root().dataset;
  // Where a page that has just become another's business leads; who came here all the same may stay.
  const leads = is.go && !was.go;
  if ((leads || is.assets !== was.assets) && sending.size) {
    owed = html; // to leave now would break off what is being sent
    return;
  }
  if (leads) {
    was.go = is.go;
    return location.replace(is.go);
  }
  if (is.assets !== was.assets) return location.reload();
  if (is.boot === was.boot && Number(is.revision) < Number(was.revision)) return;
  underFingers(() => Idiomorph.morph(root(), fresh, MORPH));
  document.dispatchEvent(new Event("shown"));
  document.title = is.title + " · Stationmaster";
  // A refusal stays at the thumb until the table moves on.
  say(is.number === reply.number ? reply.words : "");
}

const touched = new WeakSet();

const MORPH = {
  ignoreActiveValue: true,
  callbacks: {
    // The same form as before keeps what was typed and chosen in it.
    beforeNodeMorphed: (old, now) =>
      !(old.dataset?.keep && now.dataset && old.dataset.keep === now.dataset.keep && touched.has(old)),
    // What a person has opened stays open; what they have sent stays off, and says so, until it is answered.
    // The script of the picture says what part of it is looked at.
    beforeAttributeUpdated: (name, element) =>
      !(name === "open" && element.tagName === "DETAILS") &&
      !(element.closest(".net.live") && (name === "viewBox" || (name === "class" && element.id === "net"))) &&
      !((name === "disabled" || name === "aria-busy") && sending.has(element)),
  },
};

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => event.target.form && touched.add(event.target.form));
}

// -- slips of the finger --------------------------------------------------------------------------

// From the eye to the glass a finger takes this long (ms). A tap counts for a button that lay under it all
// the while, whatever else has changed. What has only just come there was not meant, nor is the second tap
// of a double tap.
const SLIP = 300;

let changed = performance.now(); // when buttons last changed; the page itself has come just now
let before = [{ until: changed, buttons: [] }]; // what could be tapped, for as long as it matters
let asked = { does: "", at: -SLIP }; // the last request, when it was sent or answered
let finger = null; // where the last click was; null for a key

document.addEventListener("click", (event) => (finger = event.detail ? event : null), true);

// All that tells what a button does, so that two that look alike are not taken for one another.
function meaning(button) {
  const about = button.closest("[data-about]")?.dataset.about, form = button.form;
  return JSON.stringify([form?.action, form?.dataset.keep, about, button.name, button.value, button.textContent]);
}

// The buttons that can be tapped now: what each does, and where it lies.
function tappable() {
  const found = [];
  for (const button of document.querySelectorAll("button")) {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (button.contains(seen)) found.push({ does: meaning(button), left, top, right, bottom });
  }
  return found;
}

// Change the page, and remember what lay there until then.
function underFingers(change) {
  const buttons = tappable();
  change();
  if (JSON.stringify(buttons) === JSON.stringify(tappable())) return;
  changed = performance.now();
  before = before.filter(({ until }) => changed - until < SLIP);
  before.push({ until: changed, buttons });
}

function slipped(button) {
  const now = performance.now(), does = meaning(button);
  if (does === asked.does && now - asked.at < SLIP) return true;
  const lay = (was) =>
    was.does === does &&
    (!finger ||
      (was.left <= finger.clientX && finger.clientX <= was.right &&
        was.top <= finger.clientY && finger.clientY <= was.bottom));
  return before.some(({ until, buttons }) => now - until < SLIP && !buttons.some(lay));
}

// Nobody is left to wonder whether a tap has reached us.
function refuse(button) {
  button.animate([{ background: "var(--amber)", borderColor: "var(--amber)", color: "var(--board)" }, {}], 700);
  const doubled = performance.now() - asked.at < SLIP;
  if (!doubled) say("This has only just changed. Tap again if you mean it.");
}

// -- asking the table -----------------------------------------------------------------------------

const sending = new Set();
let reply = { number: null, words: "" };

document.addEventListener("submit", (event) => {
  // Forms that are whole pages of their own go the browser's way, photographs and all.
  if (event.target.matches("[data-plain]")) return;
  event.preventDefault();
  ask(event.target, event.submitter);
});

async function ask(form, button) {
  if (!button || sending.has(button)) return;
  if (slipped(button)) return refuse(button);
  const does = meaning(button);
  asked = { does, at: performance.now() };
  const body = new URLSearchParams(new FormData(form));
  if (button.name) body.set(button.name, button.value);
  // Made once: a repetition after a lost answer is the same request.
  body.set("id", newId());
  body.set("on", root().dataset.number);
  sending.add(button);
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  say("");
  const sheets = [...document.querySelectorAll("details[open]:not(.guard)")].filter((sheet) => sheet.contains(form));
  const answer = await send(form.action, body);
  sending.delete(button);
  button.disabled = false;
  button.removeAttribute("aria-busy");
  asked = { does, at: performance.now() };
  if (answer.status === "done") {
    touched.delete(form);
    form.reset();
    underFingers(() => sheets.forEach((sheet) => (sheet.open = false)));
  }
  for (const html of [answer.html, owed]) if (html) show(html);
  say(answer.words);
  if (Date.now() - heard > DEAD_AFTER / 2) open();
}

async function send(address, body) {
  for (let pause = 300; ; pause = Math.min(2 * pause, 4000)) {
    try {
      const response = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
      return await response.json();
    } catch (fault) {
      // No network, or the table is starting again. The same request, until there is an answer.
      say("The table cannot be reached. Trying again…");
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Just above what the thumb was on.
function say(words) {
  reply = { number: root().dataset.number, words };
  const bar = document.querySelector(".sheet[open] > summary") ?? document.querySelector(".thumb, .foot");
  const place = document.getElementById("reply");
  place.style.bottom = (bar ? Math.max(0, innerHeight - bar.getBoundingClientRect().top) : 0) + 8 + "px";
  place.textContent = words;
  place.hidden = !words;
}

document.getElementById("reply").addEventListener("click", () => say(""));

// -- sheets and lists -----------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const sheet of document.querySelectorAll("details.sheet[open]")) sheet.open = false;
  }
});

// One sheet at a time, and the phone's way back closes it before it leaves the page.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches("details.sheet")) return;
  if (event.target.open) {
    for (const sheet of document.querySelectorAll("details.sheet[open]")) if (sheet !== event.target) sheet.open = false;
    if (!history.state?.sheet) history.pushState({ sheet: true }, "");
  } else if (history.state?.sheet && !document.querySelector("details.sheet[open]")) {
    history.back();
  }
}, true);

window.addEventListener("popstate", () => {
  for (const sheet of document.querySelectorAll("details.sheet[open]")) sheet.open = false;
});

document.addEventListener("click", (event) => {
  const up = event.target.closest("[data-up]");
  if (!up) return;
  const row = up.closest("li");
  if (row.previousElementSibling) row.previousElementSibling.before(row);
  else row.parentElement.append(row);
  touched.add(up.form);
  up.focus();
});

open();
