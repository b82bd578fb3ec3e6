// Texts of the page whose contrast is below AA (WCAG 2.2, 1.4.3): 4.5 to 1, or 3 to 1 where they
// are large. What is behind a text are the grounds of the elements around it, the nearest first.
// Disabled controls are exempt; texts in pictures stand on shapes, which this does not see.

const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

/** Red, green, blue and opacity from 0 to 1, of any colour that a style can name. */
function read(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
}

const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];

function around(element) {
  return element ? [element, ...around(element.parentElement)] : [];
}

/** What is behind the texts of an element. */
const groundOf = (element) =>
  around(element).reverse().map((one) => read(getComputedStyle(one).backgroundColor)).reduce((below, colour) => over(colour, below), [1, 1, 1, 1]);

function luminance([r, g, b]) {
  const linear = [r, g, b].map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function contrastOf(element) {
  const ground = groundOf(element);
  const [r, g, b, a] = read(getComputedStyle(element).color);
  const opacity = around(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
  const [low, high] = [luminance(over([r, g, b, a * opacity], ground)), luminance(ground)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function neededBy(element) {
  const { fontSize, fontWeight } = getComputedStyle(element);
  const [size, bold] = [parseFloat(fontSize), Number(fontWeight) >= 700];
  return size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
}

const isWritten = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());

const written = [...document.querySelectorAll("body *")].filter((element) =>
  isWritten(element) && element.checkVisibility() && !element.closest("svg, :disabled, option, script"));

return written.map((element) => [element, contrastOf(element)])
  .filter(([element, contrast]) => contrast < neededBy(element))
  .map(([element, contrast]) => `${element.tagName}.${element.className} ${contrast.toFixed(2)}: ${element.textContent.slice(0, 40)}`);
