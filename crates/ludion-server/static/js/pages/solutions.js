// Everybody's solutions of hexagonal Tetris: the submissions in the store by problem, ranked and
// replayed, two side by side if wanted. A link carries the games that are shown in its fragment.

import { get, post } from "../api.js";
import { copyText, errorPlace, h } from "../dom.js";
import { download } from "../download.js";
import { field } from "../form.js";
import { Pair } from "../hextris/pair.js";
import { linkTo, readLink } from "../hextris/share.js";
import { nameOf, Submissions } from "../hextris/submissions.js";
import { rename } from "../router.js";
import { plural } from "../runs/words.js";

class Solutions {
  /** @param {any[]} problems those with submissions @param {AbortSignal} signal */
  constructor(problems, signal) {
    this.problems = problems;
    this.signal = signal;
    this.pair = new Pair();
    this.list = new Submissions((one, place) => this.try(() => this.replay(one, place)));
    this.error = errorPlace();
    this.select = h("select", { id: "problem", onchange: () => this.try(() => this.choose(this.select.value)) }, problems.map((one) => this.option(one)));
    this.help = h("p", { class: "quiet-text", id: "about-problem" });
    this.file = h("button", { type: "button", id: "download", disabled: true, onclick: () => this.download() }, "Download problem");
    this.link = h("button", { type: "button", id: "link", disabled: true, onclick: () => this.try(() => this.copyLink()) }, "Copy link");
    this.placements = h("button", { type: "button", id: "placements", disabled: true, onclick: () => this.try(() => this.drawPlacements()) }, "Placements");
    this.told = h("p", { class: "quiet-text", role: "status" });
    this.picture = h("figure", { class: "reached", hidden: true });
    this.pair.changed = () => this.enable();
    this.side = h("section", { class: "panel setup", "aria-label": "Submissions" }, h("h2", {}, "Problem"),
      problems.length > 0 ? [field("problem", this.select), this.help] : null,
      h("div", { class: "row" }, this.file, this.link, this.placements), this.told, this.error,
      problems.length > 0 ? [h("h2", {}, "Submissions"), this.list.element] : null,
      h("p", { class: "quiet-text" }, "Keys: ← → one command, Shift ← → to where a unit locks, Home, End, space plays."));
    this.element = h("div", { class: "play hextris solutions" }, h("div", { class: "stages" }, this.pair.element, this.picture), h("div", { class: "side" }, this.side));
    document.addEventListener("keydown", (event) => this.pair.key(event), { signal });
    signal.addEventListener("abort", () => this.pair.pause());
  }

  option({ problem, name, submissions, best }) {
    const worth = best === null ? "" : `, best ${best.toLocaleString("en")}`;
    return h("option", { value: problem }, `${name ?? problem}: ${plural(submissions, "submission")}${worth}`);
  }

  /** Runs what a control asks for, and shows its error. */
  async try(work) {
    this.error.say();
    this.told.textContent = "";
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }

  enable() {
    this.link.disabled = this.placements.disabled = !this.pair.games[0];
    this.picture.hidden = true;
  }

  /** Shows a problem with its submissions. @param {string | number} number */
  async choose(number) {
    const found = await get(`/api/hextris/submissions/${number}`, this.signal);
    this.select.value = String(number);
    this.list.set(found.submissions, found.left_out, found.problem !== null);
    this.file.disabled = found.problem === null;
    if (found.problem) await this.begin(found.name ?? found.problem, found.problem, found.phrases);
    else this.help.textContent = "Only the number of this problem is known, so its solutions cannot be replayed. “ludion hextris serve” keeps the problems that it serves.";
    rename(`/solutions?${new URLSearchParams({ problem: String(number) })}`);
  }

  async begin(which, json, phrases) {
    const problem = await post("/api/hextris/problem", { problem: which }, this.signal);
    this.json = json;
    this.help.textContent = `number ${problem.id}, ${problem.width}×${problem.height}, ${problem.source_length} units of ${plural(problem.units, "kind")}, ${plural(problem.seeds.length, "seed")}`;
    this.pair.begin(which, problem, phrases);
  }

  /** Shows the best submission of the problem. */
  async showBest() {
    const [best] = this.list.filtered();
    if (best && this.json) await this.replay(best, 0);
  }

  async replay(submission, place) {
    const { solution, seed } = await get(`/api/hextris/solutions/${submission.id}`, this.signal);
    await this.pair.show(this.pair.games[0] ? place : 0, { seed, solution, title: nameOf(submission) });
  }

  /** Shows the games that a link carries. */
  async open({ problem, phrases, games }) {
    await this.begin(problem, problem, phrases);
    for (const [place, game] of games.entries()) await this.pair.show(/** @type {0 | 1} */ (place), game);
  }

  async copyLink() {
    const { which, phrases, games } = this.pair;
    const link = await linkTo({ problem: which, phrases, games: games.filter(Boolean) });
    rename(link);
    const isCopied = await copyText(link).then(() => true, () => false);
    const size = `${link.length.toLocaleString("en")} characters with ${plural(games.filter(Boolean).length, "game")}`;
    this.told.textContent = `${isCopied ? "The link is copied" : "The address of this page is the link"}: ${size}.`;
  }

  download() {
    download(`problem_${this.json.id}.json`, "application/json", `${JSON.stringify(this.json)}\n`);
  }

  /** Draws what the current unit of the first game can reach. */
  async drawPlacements() {
    const { which, phrases, games: [game], stages: [stage] } = this.pair;
    const { locked } = stage.recording.moment(stage.timeline.at);
    const body = JSON.stringify({ problem: which, seed: game.seed, solution: game.solution, phrases, locked });
    const response = await fetch("/api/hextris/placements", { method: "POST", headers: { "content-type": "application/json" }, body, signal: this.signal });
    if (!response.ok) throw new Error((await response.json()).error);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    svg.setAttribute("aria-label", `Placements that unit ${locked + 1} can reach`);
    this.picture.replaceChildren(document.adoptNode(svg), h("figcaption", {}, `What unit ${locked + 1} can reach, and the path to where it locks.`));
    this.picture.hidden = false;
    this.picture.scrollIntoView({ block: "nearest" });
  }
}

/** Says how solutions come into the store. */
const empty = () => h("section", { class: "panel", id: "no-solutions" },
  h("h2", {}, "No solutions are in the store yet"),
  h("p", {}, "Teams send them to ", h("code", {}, "ludion hextris serve"), "; ", h("code", {}, "ludion hextris team add NAME"), " makes a team and prints its token."),
  h("div", { class: "row" }, h("a", { class: "button main", href: "/hextris" }, "Let a program solve a problem"),
    h("a", { class: "button", href: "/hextris?view=score" }, "Replay a solution of your own")));

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const problems = await get("/api/hextris/submissions", signal);
  if (signal.aborted) return;
  if (problems.length === 0 && !location.hash && !query.has("problem")) {
    main.append(h("h1", {}, "Solutions of hexagonal Tetris"), empty());
    return;
  }
  const solutions = new Solutions(problems, signal);
  let shared = null;
  await solutions.try(async () => {
    shared = await readLink(location.hash);
    if (shared) return solutions.open(shared);
    const wanted = query.get("problem") ?? problems[0]?.problem;
    if (wanted === undefined) return undefined;
    await solutions.choose(wanted);
    return solutions.showBest();
  });
  if (signal.aborted) return;
  main.append(h("h1", {}, "Solutions of hexagonal Tetris"), solutions.element);
}
