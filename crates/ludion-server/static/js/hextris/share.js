// Solutions in the fragment of an address, which browsers do not send to the server: a link carries
// whole games and needs nothing that is stored anywhere. `z` and the base64url of compressed JSON, or
// `p` and that of plain JSON where the browser cannot compress.

const PREFIX = "#games=";
/** Largest size of the unpacked JSON in bytes. */
const MAX_BYTES = 8 << 20;

/** @param {Uint8Array} bytes */
function toText(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Sends bytes through a stream, and stops when more than the limit comes out. */
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) throw new Error("too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * Returns the address of a page that shows these games.
 * @param {{ problem: any, phrases: string[], games: { seed: number, solution: string, title: string }[] }} shared
 */
export async function linkTo(shared) {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = globalThis.CompressionStream ? `z${toText(await through(bytes, new CompressionStream("deflate-raw")))}` : `p${toText(bytes)}`;
  return `${location.origin}/solutions${PREFIX}${packed}`;
}

/** Returns what the fragment of an address carries, or `null` if it carries no games. @param {string} hash */
export async function readLink(hash) {
  if (!hash.startsWith(PREFIX)) return null;
  const [kind, text] = [hash.charAt(PREFIX.length), hash.slice(PREFIX.length + 1)];
  try {
    const bytes = toBytes(text);
    const plain = kind === "z" ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes;
    const shared = JSON.parse(new TextDecoder().decode(plain));
    const isGame = ({ seed, solution, title }) => Number.isInteger(seed) && typeof solution === "string" && typeof title === "string";
    if (!shared.problem || !Array.isArray(shared.phrases) || !shared.games.every(isGame) || ![1, 2].includes(shared.games.length)) throw new Error("no games");
    return shared;
  } catch {
    throw new Error("the link is damaged: it carries no games that can be read");
  }
}
