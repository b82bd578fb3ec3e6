// Sets the colour theme before the first paint; main.js lets people change it.
(() => {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
