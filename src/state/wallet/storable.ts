/** Texts that a database stores unchanged. */

/** Excludes NUL, which Postgres cannot store, and unpaired surrogates, which UTF-8 cannot encode. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

export const UNSTORABLE = "must not contain the character \\u0000 or half of a pair of surrogates";
