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

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("page");
  const is = fresh.dataset, was = root().dataset, number = was.number;
  // Where a page that has just become another's business leads; who came here all the same may stay.
  if (is.go && !was.go) {
    was.go = is.go;
    return location.replace(is.go);
  }
  if (is.assets !== was.assets) return location.reload();
  if (is.boot === was.boot && Number(is.revision) < Number(was.revision)) return;
  Idiomorph.morph(root(), fresh, {
    ignoreActiveValue: true,
    callbacks: {
      // The same form as before keeps what was typed and chosen in it.
      beforeNodeMorphed: (old, now) =>
        !(old.dataset?.keep && now.dataset && old.dataset.keep === now.dataset.keep && touched.has(old)),
      // What a person has opened stays open; what they have sent stays off until it is answered.
      beforeAttributeUpdated: (name, element) =>
        !(name === "open" && element.tagName === "DETAILS") && !(name === "disabled" && sending.has(element)),
    },
  });
  document.title = is.title + " · Stationmaster";
  if (is.number !== number) changed = Date.now();
  // A refusal stays at the thumb until the table moves on.
  say(is.number === reply.number ? reply.words : "");
}

const touched = new WeakSet();
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => event.target.form && touched.add(event.target.form));
}

// -- asking the table -----------------------------------------------------------------------------

const SLIP = 300; // ms; the second tap of a double tap must not hit what the first one brought

const sending = new Set();
let changed = 0;
let reply = { number: null, words: "" };

document.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(event.target, event.submitter);
});

async function ask(form, button) {
  if (!button || sending.has(button) || Date.now() - changed < SLIP) return;
  const body = new URLSearchParams(new FormData(form));
  if (button.name) body.set(button.name, button.value);
  // Made once: a repetition after a lost answer is the same request.
  body.set("id", newId());
  body.set("on", root().dataset.number);
  sending.add(button);
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  say("");
  const sheets = [...document.querySelectorAll("details[open]")].filter((sheet) => sheet.contains(form));
  const answer = await send(form.action, body);
  sending.delete(button);
  button.disabled = false;
  button.removeAttribute("aria-busy");
  if (answer.status === "done") {
    touched.delete(form);
    form.reset();
    for (const sheet of sheets) sheet.open = false;
  }
  if (answer.html) show(answer.html);
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
