// What is wanted of each page; see test_report.sh for the programs.
const pages = {
  // A survey: one warning, the rest is proved.
  surveyed() {
    equal("the verdict", seen("#verdict"), "WARNED");
    contains("the totals", seen("#summary"), "1 warned, ");
    equal("only the warning is shown", all("#objects details").length, 1);
    contains("its line", seen("#objects summary"), "1.statistics.byteswarnedserver.c:");
    contains("its accesses", seen("#objects summary"), "(write, no lock)");
    find("#show-proved").click();
    const rows = all("#objects details").length;
    check("the proved ones are shown, too", rows > 5, rows);
    find("#words").value = "QUEUE.first";
    find("#words").dispatchEvent(new Event("input", { bubbles: true }));
    check("the filter leaves some", all("#objects details").length > 0 && all("#objects details").length < rows, all("#objects details").length);
    check("which have the words", all("#objects .name").some((name) => name.textContent === "queue.first"), seen("#objects"));
    find("#words").value = "";
    find("#words").dispatchEvent(new Event("input", { bubbles: true }));
    const part = find("#objects details");
    part.open = true;
    part.dispatchEvent(new Event("toggle"));
    check("a warning opens with its pairs", part.querySelectorAll(".pair").length > 0, "closed");
    contains("the line of the source", part.querySelector(".side pre").textContent, "statistics.bytes");
    contains("what would exclude it", part.textContent, "What would exclude it: ");
    check("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);
  },
  // The mutex is released between reading and writing: an update is lost.
  lost() {
    equal("the verdict", seen("#verdict"), "UNSAFE");
    contains("the headline", seen("#summary"), "rror is reached at line 24 in thread 0 (main)");
    contains("the last step", seen("#violation-row"), "error is reached at line 24");
    contains("why it happened", seen("#summary .why"), "lost");
    equal("lanes", all(".lane-head").length, 3);
    const last = step(), rows = Number(find("#slider").max);
    equal("the page opens at the violation", last, rows);
    equal("x at the end", value("x"), "1");
    contains("who wrote x", seen("#now"), "reads x = 1, written by");
    check("the violation is told at the last step", Boolean(find("#broken")), "missing");
    check("an arrow leads from the write to the assertion", all(".arrow.data.lit").some((a) => Number(a.dataset.to) === last), "missing");
    const wrote = Number(all(".arrow.data.lit").find((a) => Number(a.dataset.to) === last).dataset.from);
    click("#now .jump");
    equal("the link goes to the write", step(), wrote);
    contains("the write", seen("#now"), "x: ");
    keys(rows);
    locks();
    press("End");
    const before = find("#all").checked;
    press("a");
    check("all steps are more than lines", !before && Number(find("#slider").max) > rows, find("#slider").max);
    equal("and the end stays the end", step(), Number(find("#slider").max));
    press("a");
    equal("and back", Number(find("#slider").max), rows);
    themes();
  },
  // Three philosophers, each with one fork.
  stuck() {
    contains("the headline", seen("#summary"), "Deadlock: thread 0 (main) waits");
    equal("lanes", all(".lane-head").length, 4);
    contains("fork 0", value("forks[0]"), "wanted by");
    const holders = ["forks[0]", "forks[1]", "forks[2]"].map((fork) => value(fork).slice(0, 3));
    equal("every fork has another holder", new Set(holders).size, 3);
    equal("three philosophers wait for forks", all("#threads .stuck").filter((e) => e.textContent.includes("waits for forks")).length, 3);
    check("three threads stand at line 10", all('.src[data-line="10"] .marks .chip').length === 3, "otherwise");
    check("main stands at its join", all('.src[data-line="26"] .marks .chip').length === 1, "otherwise");
    press("Home");
    equal("fork 0 at the start", value("forks[0]"), "free");
    equal("no fork is held at the start", all("#locks .chip").length, 0);
  },
  // Several properties: a table, and each finding behind it. A click loads the page again.
  findings() {
    if (!location.hash.includes("finding=")) {
      equal("the page begins with the first finding", seen("#verdict"), "UNSAFE");
      equal("properties in the table", all("#findings tbody tr").length, 5);
      contains("the first row", all("#findings tbody tr")[0].textContent, "unreach-call5320");
      equal("answers that can be shown", all("#findings button").length, 8);
      equal("one is shown", all("#findings button[aria-current]").length, 1);
      contains("the headline", seen("#summary"), "rror is reached");
      all("#findings button")[5].click();
      return;
    }
    contains("the headline of the sixth", seen("#summary"), "Deadlock: thread 0 (main) waits");
    check("the sixth is marked", all("#findings button")[5].hasAttribute("aria-current"), "not");
    check("it has a trace", all(".lane-head").length === 3, all(".lane-head").length);
  },
  // Invariants, and what they rest on.
  safe() {
    equal("the verdict", seen("#verdict"), "SAFE");
    contains("what it rests on", seen("#answer"), "memory is sequentially consistent");
    const rows = all(".invariants tbody tr");
    check("there are invariants", rows.length > 5, rows.length);
    check("one says x == 2", rows.some((row) => row.textContent.includes("x == 2")), "missing");
    press("j", 2);
    check("the third is chosen", rows[2].classList.contains("now") && all(".invariants .now").length === 1, "not");
    check("its lines are marked", all(".src.now").length >= 1, "none");
    press("End");
    check("the last is chosen", rows[rows.length - 1].classList.contains("now"), "not");
    slide(1);
    check("the slider chooses the first", rows[0].classList.contains("now"), "not");
  },
  // What protects each object, and what that rests on.
  protected() {
    equal("the verdict", seen("#verdict"), "SAFE");
    contains("the proof", seen("#answer"), "x: m; threads are joined");
    contains("what it rests on", seen("#answer"), "no access leaves the object that its pointer was made for");
    equal("no invariants", all(".invariants tbody tr").length, 0);
  },
  unknown() {
    equal("the verdict", seen("#verdict"), "UNKNOWN");
    check("a reason is given", seen("#answer").startsWith("No answer: "), seen("#answer"));
    check("the source is there", all(".src").length > 5, all(".src").length);
  },
  // Source text that would like to be markup.
  hostile() {
    check("nothing of the source ran", !window.stolen, "stolen");
    equal("no element came from the source", all("img, b i").length, 0);
    contains("the source", seen("#source"), "<" + "/script><img src=x onerror='stolen=1'><!-- & \"quotes\" \\");
    contains("broken bytes", seen("#source"), "bad \ufffd\ufffd bytes");
    contains("the title", document.title, "a<b>&amp;'c.c");
    contains("the tab", seen("#tabs"), "a<b>&amp;'c.c");
  },
  // Sixty rounds that are alike: one row stands for those between the first and the last.
  rounds() {
    const rows = Number(find("#slider").max), folded = () => all(".card.rounds").length;
    check("few rows", rows < 30, rows);
    equal("rows that stand for rounds", folded(), 1);
    contains("the row", seen(".card.rounds"), "these 2 lines × 58, x = 4 … 118, i = 2 … 59");
    find(".card.rounds").click();
    equal("x after the rounds", value("x"), "118 was 2");
    press("j");
    equal("x after the next step", value("x"), "120 was 118");
    click(".card.rounds .unfold");
    check("a click shows the rounds", Number(find("#slider").max) > rows + 100 && folded() === 0, find("#slider").max);
    press("f");
    check("f shows all rounds", Number(find("#slider").max) > rows + 100, find("#slider").max);
    press("f");
    equal("f again folds them", Number(find("#slider").max), rows);
    press("a");
    equal("all steps are never folded", folded(), 0);
    press("a");
    dispatchEvent(new Event("beforeprint"));
    equal("rows on paper", all("#printed tbody tr").length, rows);
    contains("the rounds on paper", seen("#printed"), "these 2 lines × 58");
    contains("the source on paper", seen("#printed .listing"), "pthread_create(&a, 0, count, 0);");
  },
  // Thousands of steps; the loop mark is put in by the test.
  long() {
    const rows = Number(find("#slider").max), started = performance.now();
    press("a");
    check("more than 5,000 steps", Number(find("#slider").max) > 5000, find("#slider").max);
    press("k", 60);
    slide(2500);
    press("j", 60);
    const took = performance.now() - started;
    check("120 keys take under 3 s", took < 3000, Math.round(took) + " ms");
    check("few rows are drawn at a time", all(".card").length < 80, all(".card").length);
    press("a");
    equal("and back", Number(find("#slider").max), rows);
    press("End");
    equal("x at the end", value("x"), "900");
    check("the loop is marked", all(".loop-line").length === 2, all(".loop-line").length);
  },
};

function keys(rows) {
  press("Home");
  equal("Home goes to", step(), 0);
  equal("x at the start", value("x"), "0");
  press("ArrowDown", 2);
  press("j");
  press("ArrowRight");
  equal("four steps on", step(), 4);
  press("k");
  press("ArrowUp");
  press("ArrowLeft");
  equal("three steps back", step(), 1);
  press("n");
  const there = all(".card").map((card) => card.style.getPropertyValue("--hue"));
  const at = all(".card.now")[0].dataset.row;
  check("n goes to another thread", there[at - 1] !== there[at - 2], at);
  press("p");
  equal("p goes back", step(), 1);
  press("k", 3);
  equal("nothing is before the start", step(), 0);
  slide(5);
  equal("the slider goes to", step(), 5);
  equal("one card is the current one", all(".card.now").length, 1);
  equal("and it is", find(".card.now").dataset.row, "5");
  press("PageDown", 100);
  equal("nothing is after the end", step(), rows);
  click("#go-first");
  click("#go-on");
  equal("buttons do the same", step(), 1);
}

// Somewhere x changes while a thread holds m.
function locks() {
  press("Home");
  equal("m at the start", value("m"), "free");
  let held = false, changed = false, marked = true;
  for (let i = 0; i < Number(find("#slider").max); i++) {
    press("j");
    const holder = find("#locks .chip");
    held = held || Boolean(holder);
    const row = find('#shared tr[data-place="x"]');
    changed = changed || (Boolean(holder) && row.classList.contains("changed") && row.textContent.includes("was 0"));
    if (find(".card.now .code")) marked = marked && all(".src.now").length === 1;
  }
  check("m is held", held, "never");
  check("x changes under m, and is lit", changed, "never");
  check("the current line is always marked", marked, "not");
}

function themes() {
  const first = back();
  press("t");
  const second = back();
  check("t changes light and dark", first !== second, second);
  press("t");
  equal("and back", back(), first);
}

// At the sizes of test_report.sh: the heading is small, the picture large, and nothing sticks out of the window.
function sizes() {
  const width = innerWidth, height = innerHeight, trace = Boolean(find("#lanes"));
  const tall = (selector) => find(selector).getBoundingClientRect().height;
  const share = (tall("#head") + tall("#controls")) / height;
  check("heading and buttons take at most 22 % of the height", share <= 0.22, Math.round(100 * share) + " %");
  const picture = trace ? "#lanes" : "#answer";
  check("the picture has half of the height", tall(picture) >= 0.5 * height, tall(picture) + " of " + height);
  check("the source has a fifth of the height", tall("#source-panel") >= 0.2 * height, tall("#source-panel"));
  const wide = document.documentElement.scrollWidth, high = document.documentElement.scrollHeight;
  check("the page does not scroll sideways", wide <= width, wide + " in " + width);
  check("the page does not scroll down", high <= height, high + " in " + height);
  for (const element of all("#head, #head button:not([hidden]), #controls > *, .panel")) {
    const box = element.getBoundingClientRect();
    check("it is in the window", box.right <= width + 0.5 && box.bottom <= height + 0.5, element.id + " " + box.right + " " + box.bottom);
  }
  for (const selector of ["#state", "#lanes", "#answer"]) {
    const panel = find(selector);
    if (panel) check(selector + " does not scroll sideways", panel.scrollWidth <= panel.clientWidth + 1, panel.scrollWidth + " in " + panel.clientWidth);
  }
  if (!trace) return;
  const lanes = find("#lanes").getBoundingClientRect(), now = find(".card.now").getBoundingClientRect();
  check("the current step is in sight", now.top >= lanes.top + 34 && now.bottom <= lanes.bottom, now.top + " in " + lanes.top);
  check("a card has room for words", now.width >= 180, now.width);
  const before = tall("#head"), why = find("#summary .why"), cut = why.scrollHeight > why.clientHeight + 1 || !why.clientHeight;
  check("a button offers what is cut", !cut || find("#more-button").clientHeight > 0, "hidden");
  check("the reason is cut where there is little height", cut || height > 700, why.clientHeight);
  press("h");
  check("h shows all of the heading", why.clientHeight > 0 && why.scrollHeight <= why.clientHeight + 1, why.clientHeight);
  check("it is higher if it was cut", !cut || tall("#head") > before, tall("#head"));
  check("and leaves a part of the picture", tall("#head") <= 0.61 * height, tall("#head"));
  press("h");
  equal("and cuts it again", tall("#head"), before);
}
