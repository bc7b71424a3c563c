// Asks for the camera's newest look while its page is open and in sight. The table's own news come by the
// stream as on every page.
"use strict";

const LOOK_EVERY = 1500; // ms

let looking = false;

async function look() {
  if (looking || root().dataset.page !== "camera" || document.visibilityState !== "visible") return;
  looking = true;
  try {
    const answer = await fetch("/camera/look");
    if (answer.ok && root().dataset.page === "camera") show(await answer.text());
  } catch (fault) {
    // No network, or the table is starting again: the stream says so, and the next look may come through.
  } finally {
    looking = false;
  }
}

setInterval(look, LOOK_EVERY);
