/** Which texts a database keeps as they came. */

/** Neither NUL, which no text of Postgres holds, nor half of a pair of surrogates, which is no character of UTF-8. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

export const UNSTORABLE = "must not contain the character \\u0000 or half of a pair of surrogates";
