export async function show(main) {
  main.append("…");
}
