// Moves the picture of the table about: one finger or the arrow keys push it, two fingers or the buttons
// change its size. Where a person has looked last is looked at again. Without this script it scrolls.
"use strict";

(() => {
  const SLACK = 8; // px that a finger may tremble in a tap
  const CLOSEST = 90; // mm across; closer there is nothing more to see
  const BUTTONS = 56; // px at the lower edge where the buttons are
  const EDGE = 60; // px by which the picture can be pushed over its edge
  const STEP = 1.5; // how much a button changes the size

  let net = null, svg = null;
  let view = null; // what is looked at: left, top, width, height in mm
  let moved = false; // whether a person has chosen what is looked at
  let pushed = false; // whether the finger that is down has moved the picture
  const fingers = new Map();

  const numbers = (text) => text.split(" ").map(Number);
  const kept = () => "net:" + net.dataset.key;

  function adopt() {
    const found = document.getElementById("net");
    if (found !== net) {
      net = found;
      moved = false;
      fingers.clear();
      if (!net) return;
      net.classList.add("live");
      const was = sessionStorage.getItem(kept());
      if (was) [moved, view] = [true, numbers(was)];
      watch(net);
    }
    if (!net) return;
    svg = net.querySelector("svg");
    const [, , width, height] = numbers(net.dataset.box);
    // On a page that scrolls it is as high as it needs to be; elsewhere it takes the room that there is.
    const high = (net.clientWidth * height) / width + BUTTONS;
    if (!net.closest(".ways")) net.style.height = Math.min(high, 0.75 * innerHeight) + "px";
    show(moved ? view : focus());
  }

  // The part that the page asks for, as wide or as high as the window onto it lets it be.
  function focus() {
    const [left, top, width, height] = numbers(net.dataset.focus), [x, y] = numbers(net.dataset.near);
    const least = Number(net.dataset.scale), all = fitted(left, top, width, height);
    return least && least * net.clientWidth < all[2] ? around(x, y, least) : all;
  }

  const whole = () => fitted(...numbers(net.dataset.box));

  // All of a box, above the buttons.
  function fitted(left, top, width, height) {
    const scale = Math.max(width / net.clientWidth, height / (net.clientHeight - BUTTONS));
    return around(left + width / 2, top + height / 2 + (scale * BUTTONS) / 2, scale);
  }

  // Around a point at so many mm to a pixel.
  function around(x, y, scale) {
    const width = scale * net.clientWidth, height = scale * net.clientHeight;
    return [x - width / 2, y - height / 2, width, height];
  }

  function show(wanted) {
    const box = numbers(net.dataset.box), most = whole();
    const scale = Math.min(Math.max(wanted[2], CLOSEST), Math.max(most[2], CLOSEST)) / net.clientWidth;
    const next = around(wanted[0] + wanted[2] / 2, wanted[1] + wanted[3] / 2, scale);
    // The picture may be pushed a little over its edge, from under the buttons.
    for (const axis of [0, 1]) {
      const half = next[axis + 2] / 2, room = Math.max(0, box[axis + 2] / 2 - half) + EDGE * scale;
      const middle = box[axis] + box[axis + 2] / 2;
      next[axis] = Math.min(Math.max(next[axis] + half, middle - room), middle + room) - half;
    }
    view = next;
    svg.setAttribute("viewBox", view.map((value) => value.toFixed(2)).join(" "));
    // As long as its whole height is seen, a finger that goes up or down scrolls the page.
    net.classList.toggle("whole", view[3] >= box[3] - 1);
    net.classList.toggle("far", net.clientWidth / view[2] < 1.2);
  }

  function look(wanted) {
    moved = true;
    show(wanted);
    sessionStorage.setItem(kept(), view.join(" "));
  }

  // Change the size by a factor, so that what is under this point of the window stays there.
  function zoom(factor, clientX, clientY) {
    const frame = net.getBoundingClientRect();
    const across = (clientX - frame.left) / frame.width, down = (clientY - frame.top) / frame.height;
    const width = view[2] / factor, height = view[3] / factor;
    look([view[0] + across * (view[2] - width), view[1] + down * (view[3] - height), width, height]);
  }

  function push(right, down) {
    const scale = view[2] / net.clientWidth;
    look([view[0] - right * scale, view[1] - down * scale, view[2], view[3]]);
  }

  function middle() {
    const all = [...fingers.values()];
    const x = all.reduce((sum, at) => sum + at.x, 0) / all.length;
    const y = all.reduce((sum, at) => sum + at.y, 0) / all.length;
    const spread = all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0;
    return { x, y, spread };
  }

  function watch(here) {
    here.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      if (!fingers.size) pushed = false;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY] });
    });
    here.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const far = Math.hypot(event.clientX - finger.from[0], event.clientY - finger.from[1]);
      if (!pushed && far < SLACK && fingers.size < 2) return;
      if (!pushed) {
        pushed = true;
        for (const id of fingers.keys()) here.setPointerCapture(id);
      }
      const was = middle();
      finger.x = event.clientX;
      finger.y = event.clientY;
      const now = middle();
      push(now.x - was.x, now.y - was.y);
      if (was.spread > 0 && now.spread > 0) zoom(now.spread / was.spread, now.x, now.y);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      here.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    }
    // What ends a push is no tap.
    here.addEventListener("click", (event) => {
      if (pushed) {
        event.preventDefault();
        event.stopPropagation();
        pushed = false;
        return;
      }
      const button = event.target.closest("[data-zoom]");
      if (!button) return;
      const frame = here.getBoundingClientRect();
      const how = button.dataset.zoom;
      if (how === "whole") look(whole());
      else zoom(how === "in" ? STEP : 1 / STEP, frame.left + frame.width / 2, frame.top + frame.height / 2);
    }, true);
    here.addEventListener("dragstart", (event) => event.preventDefault());
    here.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    }, { passive: false });
    // What is reached by keys comes into view.
    here.addEventListener("focusin", (event) => {
      if (!event.target.matches("a") || !event.target.matches(":focus-visible")) return;
      const frame = here.getBoundingClientRect(), box = event.target.getBoundingClientRect();
      const right = frame.left + frame.width / 2 - (box.left + box.width / 2);
      const down = frame.top + frame.height / 2 - (box.top + box.height / 2);
      if (Math.abs(right) > frame.width / 2 || Math.abs(down) > frame.height / 2) push(right, down);
    });
    new ResizeObserver(() => here === net && show(moved ? view : focus())).observe(here);
  }

  document.addEventListener("shown", adopt);
  adopt();

  // -- links and lists ----------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-back], a[data-replace]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // The way back is the one that the person has come, where that leads to the same page.
    if ("back" in link.dataset && document.referrer === link.href && history.length > 1) history.back();
    else location.replace(link.href);
  });

  function sift(field) {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll(field.dataset.sift)) {
      row.hidden = !words.every((word) => row.dataset.words.includes(word));
    }
    for (const part of document.querySelectorAll(".first")) part.hidden = !part.querySelector("li:not([hidden])");
  }

  function sifted() {
    for (const field of document.querySelectorAll("[data-sift]")) {
      field.closest("label").hidden = false;
      sift(field);
    }
  }

  document.addEventListener("input", (event) => event.target.matches("[data-sift]") && sift(event.target));
  document.addEventListener("shown", sifted);
  sifted();
})();
