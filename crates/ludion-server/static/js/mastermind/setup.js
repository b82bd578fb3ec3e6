// Settings of an experiment: distribution, size, secret and parameters, with the defaults of the chosen
// distribution.

import { h } from "../dom.js";
import { field } from "../form.js";
import { discs, drawCode, readCode, showCode } from "./codes.js";

const number = (name, attributes) => h("input", { type: "number", name, required: true, ...attributes });
const share = (name) => number(name, { min: 0.001, max: 1, step: "any" });
const isMallows = (settings) => typeof settings.law === "object";

/** The update rules of lambda, as the server names them. */
const LAMBDAS = {
  constant: (start) => ({ constant: start }),
  growing: (start, step) => ({ growing: { start, step } }),
  likelihood: (start) => ({ likelihood: { start, most: 20 } }),
};

export class Setup {
  /** @param {any} about @param {URLSearchParams} query */
  constructor(about, query) {
    this.laws = about.laws;
    const size = (name, usual) => number(name, { min: 1, max: about.largest, value: query.get(name) ?? usual });
    this.law = h("select", { name: "law" }, about.laws.map((law, i) => h("option", { value: i, selected: String(i) === query.get("law") }, law.name)));
    this.pegs = size("pegs", 6);
    this.colours = size("colours", 10);
    this.secret = h("input", { name: "secret", type: "text", value: query.get("secret") ?? "", placeholder: "drawn from the seed", spellcheck: "false", autocomplete: "off" });
    this.seed = number("seed", { min: 0, max: Number.MAX_SAFE_INTEGER, value: query.get("seed") ?? 1 });
    this.iterations = number("iterations", { min: 1, max: 1000 });
    this.d = number("d", { min: 1, max: 1000 });
    this.samples = number("N", { min: 1, max: 1000000 });
    this.rho = share("rho");
    this.smooth = h("input", { type: "checkbox", name: "smoothing" });
    this.alpha = share("alpha");
    this.counting = h("select", { name: "counting" },
      h("option", { value: "right" }, "right"), h("option", { value: "historical" }, "historical: as in the study, which miscounts"));
    this.rule = h("select", { name: "lambda-rule" }, [["constant", "constant"], ["growing", "growing"], ["likelihood", "maximum likelihood"]].map(([value, text]) => h("option", { value }, text)));
    this.lambda = number("lambda", { min: 0, max: 100, step: "any" });
    this.growth = number("growth", { min: 0, max: 100, step: "any", value: 0.1 });
    this.sampler = h("select", { name: "sampler" }, h("option", { value: "exact" }, "exact distribution"), h("option", { value: "chain" }, "Metropolis-Hastings chain"));
    this.preview = h("div", { class: "preview" });
    this.build();
    this.law.addEventListener("change", () => this.reset());
    [this.pegs, this.colours].forEach((input) => input.addEventListener("input", () => this.resize()));
    this.secret.addEventListener("input", () => this.look());
    this.smooth.addEventListener("change", () => this.dim());
    this.rule.addEventListener("change", () => this.dim());
    this.reset();
  }

  build() {
    const draw = h("button", { type: "button", id: "draw-secret", onclick: () => this.draw() }, "Draw a secret");
    this.help = h("small", { class: "quiet-text" });
    this.mallows = h("div", { class: "fields" },
      field("lambda", this.rule, "how it moves"), field("lambda at first", this.lambda),
      field("lambda grows by", this.growth), field("codes come from", this.sampler));
    this.element = h("div", {},
      field("law", this.law), this.help,
      h("div", { class: "fields" }, field("pegs (n)", this.pegs), field("colours (m)", this.colours),
        field("secret", this.secret, "such as 1123 or 3-1-12"), field("seed", this.seed)),
      h("div", { class: "row" }, draw), this.preview,
      h("details", {}, h("summary", {}, "All settings of the distribution"),
        h("div", { class: "fields" },
          field("codes an iteration (N)", this.samples), field("elite share (rho)", this.rho),
          field("smoothing", this.smooth), field("alpha", this.alpha),
          field("d", this.d, "converged when d + 1 gammas are equal"), field("iterations, at most", this.iterations),
          field("white pegs are counted", this.counting)),
        this.mallows));
  }

  get chosen() {
    return this.laws[Number(this.law.value)];
  }

  get repeats() {
    return this.chosen.repeats;
  }

  /** Fills in the defaults of the distribution. */
  reset() {
    const { settings, help } = this.chosen;
    this.help.textContent = help;
    this.iterations.value = settings.iterations;
    this.d.value = settings.d;
    this.rho.value = settings.rho;
    this.smooth.checked = settings.smoothing !== null;
    this.alpha.value = settings.smoothing ?? 0.7;
    this.counting.value = settings.counting;
    this.mallows.hidden = !isMallows(settings);
    if (isMallows(settings)) {
      const { lambda, sampler } = settings.law.mallows;
      this.rule.value = Object.keys(lambda)[0];
      this.lambda.value = lambda.constant ?? 1;
      this.sampler.value = sampler === "exact" ? "exact" : "chain";
    }
    this.dim();
    this.resize();
  }

  /** Sets N to five times the number of parameters of the distribution. */
  resize() {
    const [pegs, colours] = [Number(this.pegs.value), Number(this.colours.value)];
    const each = this.chosen.settings.samples.perparameter ?? 5;
    this.samples.value = each * (isMallows(this.chosen.settings) ? pegs + 1 : pegs * colours);
    this.look();
  }

  dim() {
    this.alpha.disabled = !this.smooth.checked;
    this.growth.disabled = this.rule.value !== "growing";
  }

  draw() {
    const [pegs, colours] = [Number(this.pegs.value), Number(this.colours.value)];
    if (!this.pegs.reportValidity() || !this.colours.reportValidity()) return;
    if (!this.repeats && colours < pegs) {
      this.colours.setCustomValidity(`codes without repeats need at least ${pegs} colours`);
      this.colours.reportValidity();
      this.colours.setCustomValidity("");
      return;
    }
    this.secret.value = showCode(drawCode(pegs, colours, this.repeats), colours);
    this.look();
  }

  look() {
    const code = readCode(this.secret.value, Number(this.colours.value));
    const pegs = Math.min(40, Number(this.pegs.value) || 0);
    if (code.length === 0) return this.preview.replaceChildren(h("span", { class: "quiet-text" }, "Without a secret the seed draws one."));
    const shown = Array.from({ length: pegs }, (_, i) => code[i] ?? null);
    return this.preview.replaceChildren(discs(shown, "The secret"));
  }

  /** Whether every field is valid; shows the browser's message if not. */
  valid() {
    const inputs = [...this.element.querySelectorAll("input")].filter((input) => !input.disabled && !input.closest("[hidden]"));
    const wrong = inputs.find((input) => !input.checkValidity());
    // A field in a closed section cannot show its message.
    wrong?.closest("details")?.setAttribute("open", "");
    return !wrong || wrong.reportValidity();
  }

  /** Returns the request. */
  request() {
    const settings = structuredClone(this.chosen.settings);
    Object.assign(settings, {
      pegs: Number(this.pegs.value), colours: Number(this.colours.value), counting: this.counting.value,
      samples: { fixed: Number(this.samples.value) }, rho: Number(this.rho.value),
      smoothing: this.smooth.checked ? Number(this.alpha.value) : null,
      d: Number(this.d.value), iterations: Number(this.iterations.value),
    });
    if (isMallows(settings)) {
      const options = settings.law.mallows;
      options.lambda = LAMBDAS[this.rule.value](Number(this.lambda.value), Number(this.growth.value));
      options.sampler = this.sampler.value === "exact" ? "exact" : { chain: { burn_in: 250, thinning: 80 } };
    }
    return { settings, secret: this.secret.value.trim() || null, seed: Number(this.seed.value) };
  }

  /** Returns the settings as parameters of the address. */
  address() {
    const parts = { law: this.law.value, pegs: this.pegs.value, colours: this.colours.value, seed: this.seed.value };
    if (this.secret.value.trim()) parts.secret = this.secret.value.trim();
    return parts;
  }
}
