"use strict";
// Parts that the report draws with: elements, and C text with its colours. Texts become text nodes only.

// --- small helpers ---

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http:" + "//www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// --- C text ---

const WORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
  "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Atomic bool " +
  "atomic_int pthread_t pthread_mutex_t pthread_cond_t sem_t size_t").split(" "));
const TOKEN = /(\/\*.*?(?:\*\/|$)|\/\/.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

// Fills `element` with one line of C; returns whether a comment goes on after it.
function addCode(element, line, inComment) {
  let rest = line, offset = 0;
  const add = (text, kind) => text && element.append(kind ? make("span", { class: kind }, text) : text);
  if (inComment) {
    const end = line.indexOf("*/");
    if (end < 0) return add(line, "c"), true;
    add(line.slice(0, end + 2), "c");
    rest = line.slice(end + 2);
  }
  let open = false;
  for (const match of rest.matchAll(TOKEN)) {
    const [text, comment, string, directive, number, word] = match;
    add(rest.slice(offset, match.index));
    offset = match.index + text.length;
    const call = word && /^\s*\(/.test(rest.slice(offset));
    add(text, comment ? "c" : string ? "s" : directive ? "k" : number ? "d" : WORDS.has(word) ? "k" : call ? "f" : "");
    open = Boolean(comment) && comment.startsWith("/*") && !comment.endsWith("*/");
  }
  add(rest.slice(offset));
  return open;
}
