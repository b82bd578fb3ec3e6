// The pages, in the order of the navigation. A page is one line here and one module with
// `export async function show(main, query, signal)`: it fills `main` as `query` (the parameters of
// the address) says, and stops its work when `signal` aborts. `begin` requests data before the module is
// loaded.

import { askEarly } from "./first_position.js";

export const PAGES = [
  { path: "/", name: "Home", load: () => import("./pages/home.js") },
  { path: "/play", name: "Play", load: () => import("./pages/play.js"), begin: askEarly },
  { path: "/arena", name: "Arena", load: () => import("./pages/arena.js") },
  { path: "/runs", name: "Runs", load: () => import("./pages/runs.js") },
  { path: "/learning", name: "Learning", load: () => import("./pages/learning.js") },
  { path: "/mastermind", name: "Mastermind", load: () => import("./pages/mastermind.js") },
  { path: "/hextris", name: "Hextris", load: () => import("./pages/hextris.js") },
  { path: "/solutions", name: "Solutions", load: () => import("./pages/solutions.js") },
  { path: "/reproduce", name: "Reproduce", load: () => import("./pages/reproduce.js") },
];
