// One run: how far it has come, what came of it, its picture, its games, its plan; with its
// news while it is under way.

import { get, post, stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { go } from "../router.js";
import { figuresOf } from "./figures.js";
import { GameList } from "./games.js";
import { Plot } from "./plot.js";
import { addressOf, chip, count, isUnderWay, moment, shareOf, time, titleOf } from "./words.js";

/** How often the list of games follows a run, in milliseconds. */
const FOLLOW = 3000;
/** How often a server that went away is asked for, in milliseconds. */
const RETRY = 1000;
/** Time to confirm that a run is cancelled or forgotten, in milliseconds. */
const CONFIRM = 10000;

/** A run on a page. */
export class RunView {
  /** @param {number} id @param {AbortSignal} signal */
  constructor(id, signal) {
    Object.assign(this, { id, signal, followed: 0 });
    this.title = h("h1", {}, `Run ${id}`);
    this.state = h("span", { id: "phase", role: "status", "aria-live": "polite" });
    this.what = h("p", { class: "lead" }, "…");
    this.error = errorPlace();
    this.bar = h("progress", { id: "progress", max: 1, value: 0, "aria-label": "Progress" });
    this.progress = h("p", { id: "progress-text", class: "spent" });
    this.figures = h("div", { class: "figures", id: "figures" });
    this.plot = new Plot();
    this.games = new GameList(id, signal);
    this.plan = h("dl", { class: "facts" });
    this.json = h("pre", { class: "json" });
    this.buttons = {
      pause: this.button("pause", "Pause", () => this.steer("pause")),
      resume: this.button("resume", "Resume", () => this.steer("resume")),
      repeat: this.button("repeat", "Repeat", () => this.repeat()),
      forget: this.button("forget", "Cancel", () => this.forget()),
    };
    this.change = h("a", { id: "change", href: `/arena?from=${id}` }, "Change and run");
    for (const one of [...Object.values(this.buttons), this.change]) one.hidden = true;
    this.element = this.layout();
  }

  button(id, text, onclick) {
    return h("button", { type: "button", id, onclick }, text);
  }

  layout() {
    const { pause, resume, repeat, forget } = this.buttons;
    const file = (path, text) => h("a", { href: `/api/runs/${this.id}/${path}`, download: "" }, text);
    this.csv = h("span", { class: "row" }, file("export.csv?table=games", "games as CSV"), file("export.csv?table=moves", "moves as CSV"));
    this.body = h("div", { class: "run-body", hidden: true },
      h("section", { class: "panel", "aria-label": "Figures" }, h("h2", {}, "Figures"), this.figures, this.plot.element),
      this.games.element,
      h("section", { class: "panel", "aria-label": "Plan" }, h("h2", {}, "Plan"), this.plan,
        h("details", {}, h("summary", {}, "As it is kept"), this.json),
        h("p", { class: "row" }, h("span", { class: "quiet-text" }, "Take away"), this.csv, file("export.json", "everything as JSON"))));
    return h("div", { class: "run" },
      h("div", { class: "run-head" }, this.title, this.state),
      this.what,
      h("div", { class: "row", role: "toolbar", "aria-label": "Run" }, pause, resume, repeat, this.change, forget),
      this.error,
      h("div", { class: "run-progress" }, this.bar, this.progress), this.body);
  }

  /** Shows what the store knows, then the news as they come. */
  async show() {
    await this.load();
    this.listen();
  }

  async load() {
    const run = await get(`/api/runs/${this.id}`, this.signal);
    this.run = run;
    this.title.textContent = `Run ${run.id}: ${titleOf(run)}`;
    document.title = `run ${run.id} · Ludion`;
    this.what.textContent = run.what;
    this.setPhase(run.phase);
    this.setFigures(run.figures);
    this.error.say(run.error);
    this.bar.value = run.total ? run.done / run.total : run.phase === "finished" ? 1 : 0;
    this.progress.textContent = shareOf(run);
    this.showPlan(run);
    // The picture has its place before it comes; what is below it stays where it is.
    const drawn = this.plot.show(run.id, run.picture, this.signal);
    await this.games.show();
    this.body.hidden = false;
    await drawn;
  }

  showPlan(run) {
    const { plan } = run;
    const fact = (name, value) => (value === null || value === undefined || value === "" ? [] : [h("dt", {}, name), h("dd", {}, value)]);
    const terms = plan.terms;
    const budget = terms && Object.entries(terms.budget).filter(([, value]) => value !== null)
      .map(([unit, value]) => (unit === "time" ? time(value.secs + value.nanos / 1e9) : `${count(value)} ${unit}`)).join(", ");
    this.plan.replaceChildren(...[
      fact("seed", String(run.seed)),
      fact("began", moment(run.began)), fact("finished", moment(run.ended)),
      fact("version", run.version),
      fact("played for", run.parent ? h("a", { href: addressOf(run.parent) }, `run ${run.parent}`) : null),
      terms ? [fact("pairs", `${count(plan.schedule.pairs)}${plan.schedule.meetings.length > 1 ? ` in each of ${count(plan.schedule.meetings.length)} meetings` : ""}`),
        fact("budget a move", budget || "as the parameters say"),
        fact("opening", terms.opening === 0 ? "none" : `${terms.opening} random plies`)] : [],
      run.repeats ? [] : fact("note", "its budget is in time, so the games differ when it is repeated"),
    ].flat(2));
    this.json.textContent = JSON.stringify(plan, null, 2);
    this.csv.hidden = run.game === null || run.kind === "tuning";
    this.change.hidden = run.game === null;
  }

  setPhase(phase) {
    this.phase = phase;
    this.state.replaceChildren(chip(phase));
    const { pause, resume, repeat, forget } = this.buttons;
    pause.hidden = !["queued", "running", "stopping"].includes(phase);
    pause.disabled = phase === "stopping";
    resume.hidden = phase !== "stopped" || !this.run?.known;
    repeat.hidden = isUnderWay(phase) || phase === "elsewhere" || !this.run?.known;
    if (forget.dataset.sure === undefined) forget.textContent = isUnderWay(phase) ? "Cancel" : "Forget";
    forget.hidden = phase === "elsewhere";
    this.bar.hidden = phase === "finished";
  }

  /** Shows figures; what is open stays open, and what is scrolled or focused stays so. */
  setFigures(figures) {
    const wides = () => [...this.figures.querySelectorAll(".wide")];
    const open = new Set([...this.figures.querySelectorAll("details[open]")].map((one) => one.dataset.keep));
    const [scrolled, focused] = [wides().map((one) => one.scrollLeft), wides().indexOf(document.activeElement)];
    this.told = figures;
    this.figures.replaceChildren(...figuresOf(this.run.kind, figures));
    for (const one of this.figures.querySelectorAll("details")) one.open = open.has(one.dataset.keep);
    wides().forEach((one, i) => { one.scrollLeft = scrolled[i] ?? 0; });
    wides()[focused]?.focus({ preventScroll: true });
  }

  /** Tells the news while it is under way, also of a server that was started again. */
  async listen() {
    while (isUnderWay(this.phase) && !this.signal.aborted) {
      this.since = null;
      try {
        for await (const { event, data } of stream(`/api/runs/${this.id}/live`, undefined, this.signal)) {
          if (this.signal.aborted) return;
          if (event === "end") return await this.end(data);
          this.tell(data);
        }
        // The server closed the connection: it knows best how it stands.
        if (this.forgotten) return await go("/runs");
        if (!this.signal.aborted) await this.load();
      } catch (error) {
        if (!this.signal.aborted && !(await this.recover(error))) return;
      }
    }
  }

  /** Waits for a server that went away and asks it how the run stands; whether it said. */
  async recover(error) {
    for (let problem = error; ; ) {
      if (this.signal.aborted || this.forgotten) return false;
      this.error.say(problem);
      // A server that answers does not change its mind.
      if (problem.status === 404) this.gone();
      if (problem.status) return false;
      await new Promise((done) => setTimeout(done, RETRY));
      try {
        await this.load();
        return true;
      } catch (again) {
        problem = again;
      }
    }
  }

  /** The run was deleted elsewhere. */
  gone() {
    this.state.replaceChildren(chip("forgotten"));
    for (const one of [...Object.values(this.buttons), this.change]) one.hidden = true;
  }

  tell(standing) {
    this.setPhase(standing.phase);
    if (standing.figures) this.setFigures(standing.figures);
    const whole = this.run.kind === "tuning" ? this.generations(standing) : null;
    this.bar.value = whole ? whole.share : standing.total ? standing.done / standing.total : 0;
    this.progress.textContent = this.progressOf({ ...standing, ...whole });
    const now = performance.now();
    if (now - this.followed > FOLLOW && standing.done > 0) {
      this.followed = now;
      this.follow();
    }
  }

  /** What takes longer to ask for than to tell. */
  async follow() {
    await this.games.show();
    await this.plot.show(this.id, this.run.picture, this.signal).catch(() => {});
  }

  /** How much of a tuning is done: whole generations, and candidates of the one under way. */
  generations({ seconds, left }) {
    const { generations = [], candidates = [] } = this.told ?? {};
    const all = this.run.plan.tuning.generations;
    const asked = generations.reduce((sum, one) => sum + one.asked, 0);
    const part = generations.length > 0 ? Math.min(1, Math.max(0, candidates.length - asked) / Math.max(1, generations.at(-1).asked)) : 0;
    const done = Math.min(all, generations.length + part);
    this.since ??= { done, seconds };
    const fresh = done > this.since.done;
    const pace = fresh ? (seconds - this.since.seconds) / (done - this.since.done) : null;
    return {
      share: done / all, left: left ?? (pace === null ? null : pace * (all - done)),
      stage: `generation ${Math.min(all, generations.length + 1)} of at most ${all}`,
    };
  }

  progressOf({ phase, done, total, seconds, left, what, stage }) {
    if (phase === "queued") return "waits for its turn";
    if (phase === "stopping") return "ends the games under way…";
    if (total === 0) return "begins…";
    const unit = this.run.game === null ? "jobs" : "pairs";
    const most = this.run.plan.sprt || stage ? "at most " : "";
    return [stage, `${count(done)} of ${count(total)} ${unit}`, time(seconds), left === null ? null : `${most}${time(left)} left`, what || null]
      .filter(Boolean).join(" · ");
  }

  async end(standing) {
    if (this.forgotten) return go("/runs");
    await this.load();
    if (standing.error) this.error.say(standing.error);
    return undefined;
  }

  /** Does something, and says at its place what was wrong. */
  async attempt(work) {
    this.error.say();
    try {
      return await work();
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
      return undefined;
    }
  }

  steer(verb) {
    return this.attempt(async () => {
      const { phase } = await post(`/api/runs/${this.id}/${verb}`, {}, this.signal);
      this.setPhase(phase);
      if (verb === "resume") this.listen();
      else if (!isUnderWay(phase)) await this.load();
    });
  }

  repeat() {
    return this.attempt(async () => {
      const { run } = await post(`/api/runs/${this.id}/repeat`, {}, this.signal);
      await go(addressOf(run));
    });
  }

  forget() {
    const button = this.buttons.forget;
    if (button.dataset.sure === undefined) {
      button.dataset.sure = "";
      button.textContent = `Really ${isUnderWay(this.phase) ? "cancel" : "forget"} run ${this.id}?`;
      setTimeout(() => {
        delete button.dataset.sure;
        this.setPhase(this.phase);
      }, CONFIRM);
      return undefined;
    }
    // Its end may be told before the answer comes.
    this.forgotten = true;
    return this.attempt(async () => {
      const { phase } = await post(`/api/runs/${this.id}/forget`, {}, this.signal).catch((error) => {
        this.forgotten = false;
        throw error;
      });
      if (isUnderWay(phase)) this.setPhase(phase);
      else await go("/runs");
    });
  }
}
