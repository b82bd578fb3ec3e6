// Requests to the server. A failed request throws an `Error` whose message is the server's sentence.

/** Returns the message of an error response. @param {Response} response */
async function refuse(response) {
  const text = await response.text();
  try {
    throw Object.assign(new Error(JSON.parse(text).error), { status: response.status });
  } catch (error) {
    if (error.status) throw error;
    throw new Error(`the server answered ${response.status}`);
  }
}

/** Whether an error says that the server does not answer. @param {any} error */
export const isAway = (error) => error.away === true;

/** @param {string} path @param {RequestInit} init */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw Object.assign(new Error("the server does not answer; is the laboratory still open?"), { away: true });
  }
  return response.ok ? response : refuse(response);
}

const sent = (body, signal) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

/** @param {string} path @param {AbortSignal} [signal] */
export const get = async (path, signal) => (await ask(path, { signal })).json();

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export const post = async (path, body, signal) => (await ask(path, sent(body, signal))).json();

const kept = new Map();

/** A cached GET, for responses that do not change while the page is open. @param {string} path */
export function getOnce(path) {
  if (!kept.has(path)) {
    const answer = get(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return kept.get(path);
}

/**
 * Yields the server-sent events of a POST with `body`, or of a GET without one. Ends with the
 * response; aborting `signal` closes the connection, and the server stops its work.
 * @param {string} path @param {any} body @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ event: string, data: any }>}
 */
export async function* stream(path, body, signal) {
  const response = await ask(path, body === undefined ? { signal } : sent(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  // Chunks of an incomplete event: a long event is joined once, not with every chunk.
  let pieces = [];
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw error.name === "AbortError" ? error : new Error("the connection broke off; is the laboratory still open?");
    });
    if (done) return;
    pieces.push(value);
    if (!value.includes("\n")) continue;
    const blocks = pieces.join("").split("\n\n");
    pieces = [blocks.pop()];
    yield* blocks.map(read).filter((event) => event.data !== undefined);
  }
}

/** Parses one event. @param {string} block */
function read(block) {
  const fields = block.split("\n").map((line) => line.match(/^(\w+): ?(.*)$/)).filter(Boolean);
  const of = (name) => fields.filter((field) => field[1] === name).map((field) => field[2]);
  const data = of("data");
  return {
    event: of("event")[0] ?? "message",
    data: data.length > 0 ? JSON.parse(data.join("\n")) : undefined,
  };
}
