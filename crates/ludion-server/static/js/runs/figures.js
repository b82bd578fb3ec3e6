// Shows the report of a run of any kind: standings with intervals, a cross table, candidates.

import { h, s } from "../dom.js";
import { addressOf, count, percent, plural, signed, table } from "./words.js";

/** Draws a value with its interval on a scale from `least` to `most`. */
function interval(low, value, high, [least, most] = [0, 1]) {
  if (![low, value, high].every(Number.isFinite)) return "";
  const x = (v) => Math.max(0, Math.min(100, (100 * (v - least)) / (most - least)));
  const [from, at, to] = [x(low), x(value), x(high)];
  return s("svg", { class: "interval", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "rail", x: 0, y: 4, width: 100, height: 2 }),
    s("rect", { class: "band", x: from, y: 2, width: Math.max(1, to - from), height: 6 }),
    s("rect", { class: "point", x: at - 0.75, y: 0, width: 1.5, height: 10 }));
}

/** Returns half the width of the 95 % interval of a score by the method of Agresti and Coull. */
function margin(games) {
  const n = games.wins + games.draws + games.losses;
  if (n === 0) return 0.5;
  const mean = (games.wins + games.draws / 2 + 2) / (n + 4);
  const squares = (games.wins + games.draws / 4 + 2) / (n + 4);
  return 1.96 * Math.sqrt(Math.max(squares - mean * mean, 0) / (n + 4));
}

const between = (low, high) => `${percent(Math.max(0, low))} to ${percent(Math.min(1, high))}`;

const scoreOf = (games) =>
  (games.wins + games.draws / 2) / Math.max(1, games.wins + games.draws + games.losses);

const results = (games) => `+${count(games.wins)} =${count(games.draws)} −${count(games.losses)}`;

const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

/** Returns an Elo difference with its 95 % interval as text. An end of the interval that is null is infinite. */
const elo = (figure) => {
  const { value = null, error = null, low = null, high = null } = figure ?? {};
  const limits = low !== null && high === null ? `above ${signed(low)} (95 %)`
    : low === null && high !== null ? `below ${signed(high)} (95 %)` : null;
  if (value === null) return limits ?? "not known yet";
  if (error !== null) return `${signed(value, 1)} ± ${error.toFixed(1)}`;
  return `${signed(value, 1)}, ${limits ?? "without limits (95 %)"}`;
};

/** Returns the names under which the players of a match are shown. */
const namesOf = (figures) => figures.names ?? figures.players;

const turned = (games) => ({ wins: games.losses, draws: games.draws, losses: games.wins });

function matchTable(figures) {
  const games = { wins: figures.wins, draws: figures.draws, losses: figures.losses };
  const row = (i, mine) => {
    const [score, half] = [scoreOf(mine), margin(mine)];
    return [namesOf(figures)[i], results(mine), percent(score), between(score - half, score + half), interval(score - half, score, score + half),
      perMove(figures.spent[i]), figures.forfeits[i] > 0 ? count(figures.forfeits[i]) : ""];
  };
  return table("Standings", ["player", "games", "score", "95 %", "", "a move", "forfeits"],
    [row(0, games), row(1, turned(games))], { id: "standings" });
}

const seconds = (time) => time.secs + time.nanos / 1e9;

function perMove(spent) {
  if (spent.moves === 0) return "";
  const ms = (1000 * seconds(spent.time)) / spent.moves;
  return ms < 1 ? `${(1000 * ms).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function sprtLine(test) {
  const said = { open: "not decided", lower: `the difference is ${test.elo0} rather than ${test.elo1}`, upper: `the difference is ${test.elo1} rather than ${test.elo0}` };
  const [low, high] = test.bounds;
  return [
    ...fact("test", `${said[test.decision] ?? test.decision} (LLR ${signed(test.llr, 2)} of ${signed(low, 2)} to ${signed(high, 2)})`),
    h("dd", { class: "whole" }, interval(0, test.llr, 0, [low, high])),
  ];
}

function matchFigures(figures) {
  return [
    matchTable(figures),
    h("dl", { class: "facts" },
      fact("Elo difference", figures.elo ? elo(figures.elo) : "not known yet"),
      fact("likely the stronger", figures.superiority_defined ? percent(figures.superiority) : "not known yet"),
      fact(`${namesOf(figures)[0]} moving first`, results(figures.by_seat[0])),
      fact("moving second", results(figures.by_seat[1])),
      figures.same_player ? fact("note", "both players are the same player: the match measures chance alone") : [],
      fact("counted", `${plural(figures.pairs, "pair")}, ${plural(2 * figures.pairs, "game")}`),
      fact("pairs by points 0 to 2", figures.pentanomial.map(count).join(", ")),
      fact("plies a game", figures.plies_per_game.toFixed(1)),
      figures.sprt ? sprtLine(figures.sprt) : []),
    (figures.forfeit_reasons ?? []).map((one) =>
      h("p", { class: "quiet-text" }, `${namesOf(figures)[one.player]} forfeited ${plural(one.games, "game")}: ${one.reason}`)),
  ];
}

/** Most players for which a cross table is shown. */
const MAX_CROSS_TABLE = 24;

function tournamentFigures(figures) {
  const { standings, cross } = figures;
  const ends = standings.flatMap((row) => [row.elo - row.error, row.elo + row.error]).filter(Number.isFinite);
  /** @type {[number, number]} */
  const scale = [Math.min(-1, ...ends), Math.max(1, ...ends)];
  const rows = standings.map((row, i) => [`${i + 1} ${row.name ?? row.player}`, signed(row.elo), row.error === null ? "–" : `± ${row.error.toFixed(0)}`,
    interval(row.elo - row.error, row.elo, row.elo + row.error, scale), results(row), percent(row.score),
    row.forfeits > 0 ? count(row.forfeits) : ""]);
  const crossed = cross.map((scores, i) => [`${i + 1} ${standings[i].name ?? standings[i].player}`,
    ...scores.map((score) => (score === null ? "·" : (100 * score).toFixed(0)))]);
  return [
    table("Standings", ["player", "Elo", "95 %", "", "games", "score", "forfeits"], rows, { id: "standings" }),
    standings.length <= MAX_CROSS_TABLE
      ? [h("h3", {}, "Score in %, row against column"),
        table("Cross table", ["", ...standings.map((_, i) => String(i + 1))], crossed, { id: "cross", class: "cross" })]
      : null,
  ];
}

function championshipFigures(figures) {
  const best = [...figures.values].sort((a, b) => b.value - a.value);
  const rows = best.map((row) => [row.values.join(", "), percent(row.value), between(row.low, row.high),
    interval(row.low, row.value, row.high), results(row)]);
  return [
    h("p", { class: "conclusion", hidden: true }, figures.conclusion),
    h("details", { "data-keep": "values" }, h("summary", {}, `All ${count(rows.length)} values, the best first`),
      table("Values", ["value", "score", "95 %", "", "games"], rows, { id: "standings" })),
  ];
}

/** Number of candidates that are always visible. */
const VISIBLE_CANDIDATES = 8;

function tuningFigures(figures) {
  const { candidates, confirmed, generations } = figures;
  const candidate = (one) => [
    one.run ? h("a", { href: addressOf(one.run) }, one.player) : one.player, percent(one.score),
    between(one.score - margin(one), one.score + margin(one)),
    interval(one.score - margin(one), one.score, one.score + margin(one)), results(one)];
  return [
    confirmed
      ? h("p", { class: "conclusion" }, `${confirmed.player} again, from another seed: ${percent(confirmed.score)}, Elo ${elo(confirmed.elo)}`)
      : h("p", { class: "quiet-text" }, "The best of many noisy scores is flattered: in the end the best candidate plays again, from another seed."),
    h("h3", {}, `Best of ${plural(candidates.length, "candidate")}`),
    table("Candidates", ["candidate", "score", "95 %", "", "games"], candidates.slice(0, VISIBLE_CANDIDATES).map(candidate), { id: "standings" }),
    candidates.length <= VISIBLE_CANDIDATES ? null : h("details", { "data-keep": "others" }, h("summary", {}, "The others"),
      table("Other candidates", ["candidate", "score", "95 %", "", "games"], candidates.slice(VISIBLE_CANDIDATES).map(candidate))),
    generations.length === 0 ? null : h("details", { "data-keep": "generations" }, h("summary", {}, "Generations"),
      table("Generations", ["generation", "asked", "best", "mean", "leader"], generations.map((one) =>
        [one.number, one.asked, percent(one.best), percent(one.mean), percent(one.leader)]))),
  ];
}

function studyFigures(figures) {
  return h("details", { "data-keep": "figures" }, h("summary", {}, "Figures"), h("pre", { class: "json" }, JSON.stringify(figures, null, 2)));
}

const FIGURES_BY_KIND = {
  match: matchFigures, tournament: tournamentFigures, championship: championshipFigures, tuning: tuningFigures,
};

/** Creates the elements that show the report of a run. @param {string} kind @param {any} figures @returns {any[]} */
export function figuresOf(kind, figures) {
  if (figures === null || figures === undefined) return [];
  return [(FIGURES_BY_KIND[kind] ?? studyFigures)(figures)].flat(3).filter(Boolean);
}
