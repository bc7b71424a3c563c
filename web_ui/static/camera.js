// Asks for the camera's newest look while its page is open and in sight. The table's own news come by the
// stream as on every page.
"use strict";

const LOOK_EVERY = 1500; // ms
const LOOK_LASTS = 8000; // ms, then the line is taken for dead: a phone that slept may never be told

let looking = false;

async function look() {
  if (looking || root().dataset.page !== "camera" || document.visibilityState !== "visible") return;
  looking = true;
  const over = new AbortController();
  const ends = setTimeout(() => over.abort(), LOOK_LASTS);
  try {
    const answer = await fetch("/camera/look", { signal: over.signal });
    if (answer.ok && root().dataset.page === "camera") show(await answer.text());
  } catch (fault) {
    // No network, no answer, or the table is starting again: the stream says so, and the next look may come through.
  } finally {
    clearTimeout(ends);
    looking = false;
  }
}

setInterval(look, LOOK_EVERY);
