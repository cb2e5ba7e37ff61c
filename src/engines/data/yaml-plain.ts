/** Texts that readers of YAML take for something else where no quotation marks stand around them. */

/**
 * The types of YAML 1.1 (yaml.org/type) as PyYAML, Psych, SnakeYAML and go-yaml read them, of which each knows some: `no` is false, 12:30
 * are 750 minutes, 0777 is 511, `<<` merges.
 */
const OTHERS: readonly RegExp[] = [
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<)?$/i,
  // Integers of any base, with marks between thousands, and hours, minutes and seconds.
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-f_]+|\d[\d_,]*(?::[0-5]?\d)*)$/i,
  // Fractions and powers of ten.
  /^[-+]?(?:\d[\d_,]*)?\.?[\d_.]*(?:e[-+]?\d+)?$/i,
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*$/,
  /^[-+]?\.(?:inf|nan)$/i,
  // Days and times.
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d(?::\d\d(?:\.\d*)?)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)?$/i,
  // Symbols of Ruby.
  /^:["'\w]/,
];

/** No longer text is of another type. */
const LONGEST = 100;

/** Line ends of YAML 1.1, and characters that its readers refuse to see as they are. */
const UNSEEN = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;

/** A tabulator ends a text for some, and blanks at the start of its first line are taken for its margin. */
export const needsQuotes = (text: string): boolean =>
  UNSEEN.test(text) ||
  /\r|^\s|^[^\n]*\t[^\n]*$/.test(text) ||
  (text.length <= LONGEST && OTHERS.some((other) => other.test(text)));

/** They stand within double quotation marks only. */
export const withUnseenEscaped = (yaml: string): string =>
  yaml.replace(new RegExp(UNSEEN, "g"), (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code}`;
  });

/** A number as readers of 1.1 know it: its power of ten has a sign, and a point stands before. */
export function numberText(text: string): string {
  const [, whole, fraction, sign, power] = /^(-?\d+)(\.\d+)?[eE]([-+]?)(\d+)$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole}${fraction ?? ".0"}e${sign || "+"}${power}`;
}
