/** SoQL, the query language of Socrata's open-data portals. Text becomes a part of a query only through these. */

/** A string literal. A quote is doubled; control characters have no place in any of the data. */
const literal = (text: string): string => `'${text.replace(/\p{Cc}/gu, " ").replaceAll("'", "''")}'`;

/** Whether a column holds a text anywhere, in any case. Wildcards in the text are read as blanks. */
export const contains = (column: string, text: string): string =>
  `upper(${column}) like upper(${literal(`%${withoutWildcards(text)}%`)})`;

/** A text without what `like` takes for wildcards: empty where there was nothing else. */
export const withoutWildcards = (text: string): string =>
  text
    .replace(/[%_\\\p{Cc}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Whether a column equals a text. */
export const equals = (column: string, text: string): string => `${column}=${literal(text)}`;
