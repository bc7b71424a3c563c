// Corners tapped on a still picture of the camera. What they come to is said by the table: their order, what is
// wrong with them, and where the tray would be.
"use strict";

const RETRY = 500; // ms until a picture is asked for again
const LARGER = 3; // times that the loupe shows what is under a finger

if (document.getElementById("corners")) tapCorners();

function tapCorners() {
  const one = (what) => document.querySelector(what);
  const stage = one("#stage"), shot = one("#shot"), drawn = one("#stage svg"), loupe = one("#stage .loupe");
  const [undo, turn, retake, keep] = ["#undo", "#turn", "#retake", "#keep"].map(one);
  const handles = [...document.querySelectorAll("#stage .handle")];
  const points = []; // in pixels of the picture, in the order in which they were tapped
  let picture = one("#corners").dataset.before, turns = 0, laid = null, numbers = [], asked = 0;

  const bounds = () => one("input[name=bounds]:checked").value;
  const words = (said) => (one("#corners-words").textContent = said);
  const inside = (value, size) => Math.min(Math.max(value, 0), size - 1);
  const at = (event) => {
    const { left, top, width, height } = shot.getBoundingClientRect();
    return [
      inside(((event.clientX - left) / width) * shot.naturalWidth, shot.naturalWidth),
      inside(((event.clientY - top) / height) * shot.naturalHeight, shot.naturalHeight),
    ];
  };

  // -- the picture ------------------------------------------------------------------------------

  async function take() {
    retake.disabled = true;
    words("The picture comes in a moment.");
    for (;;) {
      try {
        const answer = await fetch("/camera/corners/picture?not=" + encodeURIComponent(picture));
        if (answer.status === 200) {
          const found = await answer.json();
          shot.src = "/camera/picture/" + found.picture;
          await shot.decode();
          picture = found.picture;
          drawn.setAttribute("viewBox", `0 0 ${found.width} ${found.height}`);
          break;
        }
      } catch (fault) {
        words("The picture does not come. Trying again…"); // no network, or the table is starting again
      }
      await new Promise((done) => setTimeout(done, RETRY));
    }
    stage.hidden = retake.disabled = false;
    changed();
  }

  // -- what is tapped ---------------------------------------------------------------------------

  function show() {
    // While one is dragged all keep their numbers.
    if (points.length < 4) numbers = points.map((_, n) => n);
    if (laid?.corners.length) {
      numbers = points.map(([x, y]) => {
        const off = laid.corners.map((corner) => Math.hypot(x - corner[0], y - corner[1]));
        return off.indexOf(Math.min(...off));
      });
    }
    handles.forEach((handle, n) => {
      handle.hidden = n >= points.length;
      if (handle.hidden) return;
      handle.style.left = (points[n][0] / shot.naturalWidth) * 100 + "%";
      handle.style.top = (points[n][1] / shot.naturalHeight) * 100 + "%";
      handle.textContent = (numbers[n] ?? n) + 1;
      handle.setAttribute("aria-label", `Corner ${(numbers[n] ?? n) + 1}: drag it, or move it by the arrow keys`);
    });
    const line = (corners) => (corners ?? []).map((corner) => corner.join(",")).join(" ");
    one("#stage polygon.sheet").setAttribute("points", line(laid?.corners));
    one("#stage polygon.tray").setAttribute("points", line(laid?.tray));
    const label = one("#stage text"), tray = laid?.tray ?? [];
    label.toggleAttribute("hidden", !tray.length);
    label.setAttribute("visibility", tray.length ? "visible" : "hidden");
    if (tray.length) {
      label.setAttribute("x", tray.reduce((sum, [x]) => sum + x, 0) / tray.length);
      label.setAttribute("y", tray.reduce((sum, [, y]) => sum + y, 0) / tray.length);
    }
    undo.disabled = !points.length;
    turn.hidden = !laid?.turns;
  }

  async function changed() {
    const number = ++asked;
    if (points.length < 4) {
      laid = null;
      const left = 4 - points.length;
      words(left === 4 ? "Tap the corners in the picture." : `${left} more.`);
      return show();
    }
    show();
    const answer = await send("/camera/corners/lay", taps());
    if (number !== asked) return; // it has been moved on meanwhile
    laid = answer;
    words(answer.words);
    show();
  }

  const taps = () =>
    new URLSearchParams({ picture, bounds: bounds(), turns, points: JSON.stringify(points) });

  shot.addEventListener("click", (event) => {
    if (points.length === 4) return words("All four are there. Drag one, or take one back.");
    points.push(at(event));
    changed();
  });

  for (const [n, handle] of handles.entries()) {
    let from = null;
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      const [x, y] = at(event);
      from = [points[n][0] - x, points[n][1] - y];
      magnify(n);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = at(event);
      move(n, x + from[0], y + from[1]);
      magnify(n);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => {
        if (!from) return;
        from = null;
        loupe.hidden = true;
        changed();
      });
    }
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      move(n, points[n][0] + far * by[0], points[n][1] + far * by[1]);
      changed();
    });
  }

  function move(n, x, y) {
    points[n] = [inside(x, shot.naturalWidth), inside(y, shot.naturalHeight)];
    laid = null;
    show();
  }

  function magnify(n) {
    const [x, y] = points[n], wide = loupe.width / LARGER, pen = loupe.getContext("2d");
    loupe.hidden = false;
    loupe.classList.toggle("right", x < shot.naturalWidth / 2);
    pen.fillRect(0, 0, loupe.width, loupe.height);
    pen.drawImage(shot, x - wide / 2, y - wide / 2, wide, wide, 0, 0, loupe.width, loupe.height);
    pen.strokeStyle = "#ffc648";
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      pen.moveTo(loupe.width / 2 + 5 * dx, loupe.height / 2 + 5 * dy);
      pen.lineTo(loupe.width / 2 + 26 * dx, loupe.height / 2 + 26 * dy);
    }
    pen.stroke();
  }

  undo.addEventListener("click", () => {
    points.pop();
    changed();
  });
  turn.addEventListener("click", () => {
    turns = (turns + 1) % 4;
    changed();
  });
  retake.addEventListener("click", take);
  for (const choice of document.querySelectorAll("input[name=bounds]")) choice.addEventListener("change", changed);
  keep.addEventListener("click", async () => {
    keep.disabled = true;
    const answer = await send("/camera/corners", taps());
    keep.disabled = false;
    if (answer.done) location.assign("/camera");
    else words(answer.words);
  });

  take();
}
