// Appended to a copy of a report: presses keys, looks at what the page shows, and tells the page around it.
const told = [];
const find = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const seen = (selector) => (find(selector) ? find(selector).textContent : "(nothing)");
function check(what, good, was) {
  told.push((good ? "ok: " : "FAILED: ") + what + (good ? "" : ", but it is " + was));
}
function equal(what, is, wanted) {
  check(what + " is '" + wanted + "'", is === wanted, "'" + is + "'");
}
function contains(what, is, wanted) {
  check(what + " has '" + wanted + "'", is.includes(wanted), "'" + is + "'");
}
function press(key, times) {
  for (let i = 0; i < (times || 1); i++) document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}
function slide(to) {
  find("#slider").value = to;
  find("#slider").dispatchEvent(new Event("input", { bubbles: true }));
}
function click(selector) {
  find(selector).click();
}
// The value that the panel shows for a variable or lock.
const value = (name) => (all("#state tr").find((row) => row.dataset.place === name) || { children: [0, { textContent: "(no row)" }] }).children[1].textContent;
const step = () => Number(find("#counter").textContent.replace(/^step (\d+) of.*/, "$1").replace(/^start.*/, "0"));
const back = () => getComputedStyle(document.body).backgroundColor;

function report(name, test) {
  try {
    test();
  } catch (error) {
    told.push("FAILED: " + error);
  }
  told.push("done: " + name);
  parent.postMessage(told, "*");
}
addEventListener("error", (event) => parent.postMessage(["FAILED: " + event.message], "*"));
