// The colours of pegs, which differ in hue and lightness: four rings of ten hues, each of another
// lightness and rotated against the first. An optimisation chose lightness, chroma and rotation so that
// any two of the forty colours are at least 0.06 apart in OKLab. The digits on a peg are black or white,
// whichever is more readable; that one always has a contrast of 4.58 to 1 or more (WCAG 2.2, 1.4.3).

/** Lightness, chroma and first hue of each ring, in OKLCH. */
const RINGS = [[0.565, 0.175, 29], [0.825, 0.146, 33], [0.449, 0.121, 57], [0.717, 0.128, 53]];
const HUES = 10;

/** Converts a colour in OKLCH to linear red, green and blue, with the matrices of B. Ottosson (2020). */
function linear(lightness, chroma, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.max(0, Math.min(1, part)));
}

const byte = (part) => Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));

/** Returns the colour of a peg and that of the number on it. @param {number} colour from 0 */
export function pegColours(colour) {
  const [lightness, chroma, first] = RINGS[Math.floor(colour / HUES) % RINGS.length];
  // Three steps of the ring at a time, so that consecutive numbers have distant hues.
  const [r, g, b] = linear(lightness, chroma, first + (colour % HUES) * 3 * (360 / HUES));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const dark = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05);
  return { fill: `rgb(${[r, g, b].map(byte).join(" ")})`, ink: dark ? "#000" : "#fff" };
}
