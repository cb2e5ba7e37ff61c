// How the demonstration looks on a terminal: aligned, and in colour only where somebody watches.

const colourful = process.stdout.isTTY === true && process.stdout.hasColors();
const paint = (/** @type {number} */ code) => (/** @type {string} */ text) =>
  colourful ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = paint(1);
export const dim = paint(2);
export const green = paint(32);
export const yellow = paint(33);

/** @param {string} [text] */
export const line = (text = "") => console.log(text);

/** @param {string} text */
export const heading = (text) => line(`\n${bold(text)}`);

/** @param {string} text */
export const step = (text) => line(`\n  ${text}`);

/**
 * A fact below a step.
 * @param {string} name
 * @param {string} value
 */
export const fact = (name, value) => line(`    ${dim(name.padEnd(13))}${value}`);
