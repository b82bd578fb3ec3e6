// Parts of every page: navigation, colour theme and the footer.

import { get } from "./api.js";
import { start } from "./router.js";

const THEMES = [
  { name: "", sign: "◐", label: "Colours: as the system says" },
  { name: "light", sign: "☀", label: "Colours: light" },
  { name: "dark", sign: "☾", label: "Colours: dark" },
];

function themes() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const show = (theme) => {
    button.textContent = theme.sign;
    button.setAttribute("aria-label", theme.label);
    button.title = theme.label;
  };
  const current = () => THEMES.findIndex((theme) => theme.name === (root.dataset.theme ?? ""));
  button.addEventListener("click", () => {
    const theme = THEMES[(current() + 1) % THEMES.length];
    if (theme.name) root.dataset.theme = theme.name;
    else delete root.dataset.theme;
    localStorage.setItem("theme", theme.name);
    show(theme);
  });
  show(THEMES[current()]);
}

async function foot() {
  const { version, runs } = await get("/api/about");
  const kept = runs === 1 ? "1 run kept" : `${runs} runs kept`;
  document.getElementById("foot").textContent = `Ludion ${version} · ${kept}`;
}

themes();
// The footer is optional.
start(() => foot().catch(() => {}));
