/** SoQL, the query language of Socrata's portals. Text becomes part of a query only through these functions. */

/** A string literal. Quotes are doubled; control characters, which the data never contains, become blanks. */
const literal = (text: string): string => `'${text.replace(/\p{Cc}/gu, " ").replaceAll("'", "''")}'`;

/** Whether a column contains a text, in any case. Wildcards in the text become blanks. */
export const contains = (column: string, text: string): string =>
  `upper(${column}) like upper(${literal(`%${withoutWildcards(text)}%`)})`;

/** A text without wildcards of `like`: empty if it contained nothing else. */
export const withoutWildcards = (text: string): string =>
  text
    .replace(/[%_\\\p{Cc}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Whether a column equals a text. */
export const equals = (column: string, text: string): string => `${column}=${literal(text)}`;
