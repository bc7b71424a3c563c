// Plus and minus beside the copies of each card, and their sum. Without it the numbers are typed.
"use strict";

const counts = () => [...document.querySelectorAll(".own-copies input")];

function add() {
  const sum = document.querySelector("[data-sum]");
  if (sum) sum.value = counts().reduce((all, input) => all + (Number(input.value) || 0), 0);
}

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const input = step.parentElement.querySelector("input");
  // Below none there is "not counted", which is empty.
  const next = (input.value === "" ? (step.dataset.step > 0 ? 0 : -1) : Number(input.value)) + Number(step.dataset.step);
  input.value = next < 0 ? "" : Math.min(next, 56);
  add();
});

document.addEventListener("input", add);
add();
