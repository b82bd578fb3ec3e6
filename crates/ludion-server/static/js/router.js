// Selects the page by the path of the address. Links within the laboratory change the page without
// reloading the document.

import { isAway } from "./api.js";
import { h } from "./dom.js";
import { PAGES } from "./pages.js";

/** Interval of attempts to reach a server that does not answer, in milliseconds. */
const RETRY_INTERVAL = 2000;

let leave = new AbortController();
/** Called after a page is shown. */
let pageShown = () => {};

/** Navigates to an address of the laboratory. @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  return show();
}

/** Replaces the address without adding a history entry. @param {string} address */
export function rename(address) {
  history.replaceState(null, "", address);
}

/** Returns the page of a path. @param {string} path */
const pageOf = (path) => PAGES.find((page) => page.path === path);

function markNavigation(path) {
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Shows the page of the address. */
async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const page = pageOf(location.pathname);
  const main = document.getElementById("main");
  markNavigation(location.pathname);
  pageShown();
  document.title = page ? `${page.name} · Ludion` : "Ludion";
  const place = h("div", { class: "page", "data-page": page?.name ?? "none" });
  if (!page) {
    place.append(h("h1", {}, "No such page"), h("p", {}, h("a", { href: "/" }, "All games")));
    main.replaceChildren(place);
    return;
  }
  try {
    const query = new URLSearchParams(location.search);
    page.begin?.(query);
    const module = await loaded(page);
    if (signal.aborted) return;
    main.replaceChildren(place);
    await module.show(place, query, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (isAway(error) && place.children.length === 0) waitForServer(place, signal);
    else place.append(h("p", { class: "error", role: "alert" }, error.message));
    if (!place.isConnected) main.replaceChildren(place);
  }
}

/** Loads the module of a page. The browser's error would name a file; what matters is whether the server answers. */
async function loaded(page) {
  try {
    return await page.load();
  } catch (error) {
    if (!(await answers())) throw Object.assign(new Error("the laboratory does not answer"), { away: true });
    if (!(error instanceof TypeError)) throw error;
    // The server has other files than when this document was loaded; a new document is tried once.
    const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (entry?.type !== "reload") location.reload();
    throw new Error("the laboratory has changed since this page was opened; load it again");
  }
}

/** Whether the server answers. */
const answers = () => fetch("/api/about").then((response) => response.ok, () => false);

/** Says that the server does not answer, and shows the page when it does. @param {HTMLElement} place @param {AbortSignal} signal */
function waitForServer(place, signal) {
  const again = async () => {
    // A failed module is loaded again by a new document alone.
    if (await answers()) location.reload();
  };
  const timer = setInterval(again, RETRY_INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer));
  place.append(h("section", { class: "away", role: "alert" },
    h("h1", {}, "The laboratory does not answer"),
    h("p", { class: "lead" }, "Its program has ended, or the network is down. The page appears as soon as it answers."),
    h("p", {}, "To start it again: ", h("code", {}, "ludion lab")),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: again }, "Try again"))));
}

/** Whether a click on a link changes the page here, and not in the browser or a new tab. */
const isOurs = (event, link) =>
  link && link.origin === location.origin && !link.hasAttribute("download") && !link.target &&
  !link.pathname.startsWith("/api") && !link.pathname.includes(".") && event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  !(link.hash && link.pathname === location.pathname);

/** Builds the navigation and shows the first page. @param {() => void} shown called with every page */
export function start(shown) {
  pageShown = shown;
  const links = PAGES.map((page) => h("a", { href: page.path }, page.name));
  document.getElementById("nav").append(...links);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!isOurs(event, link)) return;
    event.preventDefault();
    go(link.href).then(() => document.getElementById("main").focus({ preventScroll: true }));
    scrollTo(0, 0);
  });
  addEventListener("popstate", show);
  return show();
}
