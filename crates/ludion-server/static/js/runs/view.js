// One run: its phase and progress, report, picture, games and plan; updated while it is in progress.

import { get, post, stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { go } from "../router.js";
import { Annotation } from "./annotation.js";
import { figuresOf } from "./figures.js";
import { GameList } from "./games.js";
import { Plot } from "./plot.js";
import { repetition } from "./repetition.js";
import { addressOf, chip, count, isUnderWay, moment, shareOf, time, titleOf, whatOf } from "./words.js";

/** Interval of updates of games and picture during a run, in milliseconds. */
const UPDATE_INTERVAL = 3000;
/** Time between two attempts to reach a server that does not answer, in milliseconds. */
const RETRY_INTERVAL = 1000;
/** Time within which a second click confirms that a run is to be deleted, in milliseconds. */
const CONFIRM_TIME = 10000;

/** Shows one run and the buttons that control it. */
export class RunView {
  /** @param {number} id @param {AbortSignal} signal */
  constructor(id, signal) {
    this.id = id;
    this.signal = signal;
    this.followed = 0;
    this.title = h("h1", {}, `Run ${id}`);
    this.state = h("span", { id: "phase", role: "status", "aria-live": "polite" });
    this.what = h("p", { class: "lead" }, "…");
    this.error = errorPlace();
    this.bar = h("progress", { id: "progress", max: 1, value: 0, "aria-label": "Progress" });
    this.progress = h("p", { id: "progress-text", class: "spent" });
    this.figures = h("div", { class: "figures", id: "figures" });
    this.plot = new Plot();
    this.games = new GameList(id, signal);
    this.annotation = new Annotation(id, signal);
    /** Whether the laboratory has a cluster, as far as it is known. */
    this.hasCluster = false;
    this.verdict = h("p", { id: "verdict", class: "verdict", hidden: true });
    this.told = h("div", { class: "told-place" });
    this.plan = h("dl", { class: "facts" });
    this.json = h("pre", { class: "json" });
    this.buttons = {
      pause: this.button("pause", "Pause", () => this.steer("pause")),
      resume: this.button("resume", "Resume", () => this.steer("resume")),
      elsewhere: this.button("resume-cluster", "Resume on the cluster", () => this.steer("resume", "?cluster=true")),
      repeat: this.button("repeat", "Repeat", () => this.repeat()),
      forget: this.button("forget", "Cancel", () => this.forget()),
    };
    this.change = h("a", { id: "change", class: "button", href: `/arena?from=${id}` }, "Change and run");
    for (const one of [...Object.values(this.buttons), this.change]) one.hidden = true;
    this.element = this.layout();
  }

  button(id, text, onclick) {
    return h("button", { type: "button", id, onclick }, text);
  }

  layout() {
    const { pause, resume, elsewhere, repeat, forget } = this.buttons;
    const file = (path, text) => h("a", { href: `/api/runs/${this.id}/${path}`, download: "" }, text);
    this.csv = h("span", { class: "row" }, file("export.csv?table=games", "games as CSV"), file("export.csv?table=moves", "moves as CSV"));
    const print = this.button("print", "Print", () => window.print());
    this.body = h("div", { class: "run-body", hidden: true },
      h("section", { class: "panel", "aria-label": "Figures" }, h("h2", {}, "Figures"), this.verdict, this.told, this.figures, this.plot.element),
      this.annotation.element,
      this.games.element,
      h("section", { class: "panel", "aria-label": "Plan" }, h("h2", {}, "Plan"), this.plan,
        h("details", {}, h("summary", {}, "As stored"), this.json),
        h("p", { class: "row" }, h("span", { class: "quiet-text" }, "Download"), this.csv, file("export.json", "everything as JSON"))));
    return h("div", { class: "run" },
      h("div", { class: "run-head" }, this.title, this.state),
      this.what,
      h("div", { class: "row", role: "toolbar", "aria-label": "Run" }, pause, resume, elsewhere, repeat, this.change, print, forget),
      this.error,
      h("div", { class: "run-progress" }, this.bar, this.progress), this.body);
  }

  /** Loads the run; `listen` then shows its progress as the server sends it. */
  async load() {
    const run = await get(`/api/runs/${this.id}`, this.signal);
    // Only a run that can be resumed asks whether there is a cluster.
    if (run.phase === "stopped") this.hasCluster = await get("/api/cluster", this.signal).then(({ cluster }) => cluster !== null, () => false);
    this.run = run;
    this.title.textContent = `Run ${run.id}: ${titleOf(run)}`;
    document.title = `run ${run.id} · Ludion`;
    this.what.textContent = whatOf(run);
    this.setPhase(run.phase);
    this.setFigures(run.figures);
    this.error.say(run.error);
    this.bar.value = run.total ? run.done / run.total : run.phase === "finished" ? 1 : 0;
    this.progress.textContent = shareOf(run);
    this.showPlan(run);
    this.annotation.show(run);
    this.say(run.result);
    // Everything is shown at once, so that the layout does not shift.
    const [told] = await Promise.all([repetition(run, this.signal), this.games.show(), this.plot.show(run.id, run.picture, this.signal)]);
    this.told.replaceChildren(told ?? "");
    this.body.hidden = false;
  }

  /** Shows what follows from the results. @param {string | null} verdict */
  say(verdict) {
    this.verdict.hidden = !verdict;
    this.verdict.textContent = verdict ?? "";
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
      fact("repetition of", run.repeat_of ? h("a", { href: addressOf(run.repeat_of) }, `run ${run.repeat_of}`) : null),
      fact("played for", run.parent ? h("a", { href: addressOf(run.parent) }, `run ${run.parent}`) : null),
      terms ? [fact("pairs", `${count(plan.schedule.pairs)}${plan.schedule.meetings.length > 1 ? ` in each of ${count(plan.schedule.meetings.length)} meetings` : ""}, two games each`),
        fact("budget a move", budget || "as the parameters say"),
        fact("opening", terms.opening === 0 ? "none" : `${terms.opening} random plies`)] : [],
      fact("repeatable", run.repeats ? "yes" : `no: ${run.hindrances.join("; ")}`),
      run.resumed_by.length > 0 ? fact("resumed by", run.resumed_by.join(", ")) : [],
    ].flat(2));
    this.json.textContent = JSON.stringify(plan, null, 2);
    this.csv.hidden = run.game === null || run.kind === "tuning";
    this.change.hidden = run.game === null;
  }

  setPhase(phase) {
    this.phase = phase;
    this.state.replaceChildren(chip(phase));
    const { pause, resume, elsewhere, repeat, forget } = this.buttons;
    pause.hidden = !["queued", "running", "stopping"].includes(phase);
    pause.disabled = phase === "stopping";
    resume.hidden = phase !== "stopped" || !this.run?.known;
    elsewhere.hidden = resume.hidden || !this.hasCluster;
    repeat.hidden = isUnderWay(phase) || phase === "elsewhere" || !this.run?.known;
    if (forget.dataset.sure === undefined) forget.textContent = isUnderWay(phase) ? "Cancel" : "Forget";
    forget.hidden = phase === "elsewhere";
    this.bar.hidden = phase === "finished";
  }

  /** Shows the report; open sections, scroll positions and the focus are kept. */
  setFigures(figures) {
    const wides = () => [...this.figures.querySelectorAll(".wide")];
    const open = new Set([...this.figures.querySelectorAll("details[open]")].map((one) => one.dataset.keep));
    const [scrolled, focused] = [wides().map((one) => one.scrollLeft), wides().indexOf(document.activeElement)];
    this.latestFigures = figures;
    this.figures.replaceChildren(...figuresOf(this.run.kind, figures));
    for (const one of this.figures.querySelectorAll("details")) one.open = open.has(one.dataset.keep);
    wides().forEach((one, i) => { one.scrollLeft = scrolled[i] ?? 0; });
    wides()[focused]?.focus({ preventScroll: true });
  }

  /** Shows the progress until the run is over, also after the server was restarted. */
  async listen() {
    while (isUnderWay(this.phase) && !this.signal.aborted) {
      this.since = null;
      try {
        for await (const { event, data } of stream(`/api/runs/${this.id}/live`, undefined, this.signal)) {
          if (this.signal.aborted) return;
          if (event === "end") return await this.end(data);
          this.tell(data);
        }
        // The server closed the connection without an end: the run is loaded again.
        if (this.forgotten) return await go("/runs");
        if (!this.signal.aborted) await this.load();
      } catch (error) {
        if (!this.signal.aborted && !(await this.recover(error))) return;
      }
    }
  }

  /** Tries to load the run until the server answers; returns whether it was loaded. */
  async recover(error) {
    for (let problem = error; ; ) {
      if (this.signal.aborted || this.forgotten) return false;
      this.error.say(problem);
      // An error that the server itself sends is final.
      if (problem.status === 404) this.gone();
      if (problem.status) return false;
      await new Promise((done) => setTimeout(done, RETRY_INTERVAL));
      try {
        await this.load();
        return true;
      } catch (again) {
        problem = again;
      }
    }
  }

  /** Shows that the run was deleted by another client. */
  gone() {
    this.state.replaceChildren(chip("forgotten"));
    for (const one of [...Object.values(this.buttons), this.change]) one.hidden = true;
  }

  tell(standing) {
    this.setPhase(standing.phase);
    if (standing.figures) {
      this.setFigures(standing.figures);
      this.say(standing.figures.verdict ?? standing.figures.conclusion ?? null);
    }
    const whole = this.run.kind === "tuning" ? this.generations(standing) : null;
    this.bar.value = whole ? whole.share : standing.total ? standing.done / standing.total : 0;
    this.progress.textContent = this.progressOf({ ...standing, ...whole });
    const now = performance.now();
    if (now - this.followed > UPDATE_INTERVAL && standing.done > 0) {
      this.followed = now;
      this.follow();
    }
  }

  /** Updates the games, the picture and the verdict of a study, which are not part of the events. */
  async follow() {
    await this.games.show();
    const { picture, result, figures } = await get(`/api/runs/${this.id}`, this.signal).catch(() => this.run);
    this.say(result);
    if (this.run.game === null && figures) this.setFigures(figures);
    await this.plot.show(this.id, picture, this.signal).catch(() => {});
  }

  /** Returns how much of a tuning is done: finished generations, and candidates of the current one. */
  generations({ seconds, left }) {
    const { generations = [], candidates = [] } = this.latestFigures ?? {};
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

  /** Runs an action and shows its error. */
  async attempt(work) {
    this.error.say();
    try {
      return await work();
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
      return undefined;
    }
  }

  /** Pauses or resumes the run. @param {"pause" | "resume"} verb @param {string} [query] */
  steer(verb, query = "") {
    return this.attempt(async () => {
      const { phase } = await post(`/api/runs/${this.id}/${verb}${query}`, {}, this.signal);
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
      }, CONFIRM_TIME);
      return undefined;
    }
    // The event `end` of the run may arrive before the answer to this request.
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
