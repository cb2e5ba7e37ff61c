/** Search syntax: words, "phrases", AND OR NOT, -word, ( ) and prefix*. */

const MAX_TERMS = 32;

export type Query =
  | { word: string }
  | { phrase: string }
  | { prefix: string }
  | { and: Query[] }
  | { or: Query[] }
  | { not: Query };

/** Describes an error in a query. */
export class QueryError extends Error {}

/** A phrase, a parenthesis, a minus before a term, or a run of other characters. */
const TOKEN = /\s*(?:"([^"]*)(")?|([()])|(-)(?=[^\s)])|([^\s()"]+))/uy;

const OPERATORS = new Set(["AND", "OR", "NOT"]);

type Token = { phrase: string } | { sign: string } | { text: string };

function tokensOf(text: string): Token[] {
  if (text.includes("\0") || /\p{Cs}/u.test(text)) throw new QueryError("must be text");
  const tokens: Token[] = [];
  const rest = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rest.length) {
    const found = TOKEN.exec(rest);
    if (!found) break;
    tokens.push(tokenOf(found));
  }
  const terms = tokens.filter((token) => !("sign" in token)).length;
  if (terms > MAX_TERMS) throw new QueryError(`has more than ${MAX_TERMS} terms`);
  return tokens;
}

function tokenOf([, phrase, closing, parenthesis, minus, word = ""]: RegExpExecArray): Token {
  if (phrase !== undefined && !closing) throw new QueryError('has a " without its closing one');
  if (phrase !== undefined) return { phrase };
  if (parenthesis) return { sign: parenthesis };
  if (minus) return { sign: "NOT" };
  return OPERATORS.has(word) ? { sign: word } : { text: word };
}

/** OR binds weakest, and adjacent words are joined by AND. Throws a QueryError. */
export function readQuery(text: string): Query {
  const tokens = tokensOf(text);
  let at = 0;
  const isNext = (sign: string) => {
    const token = tokens[at];
    return token !== undefined && "sign" in token && token.sign === sign;
  };
  const take = (sign: string) => isNext(sign) && ++at > 0;
  const either = (): Query => {
    const parts = [both()];
    while (take("OR")) parts.push(both());
    return parts.length === 1 && parts[0] ? parts[0] : { or: parts };
  };
  const both = (): Query => {
    const parts = [single()];
    while (take("AND") || (at < tokens.length && !isNext("OR") && !isNext(")"))) parts.push(single());
    return parts.length === 1 && parts[0] ? parts[0] : { and: parts };
  };
  const single = (): Query => {
    if (take("NOT")) return { not: single() };
    if (take("(")) {
      const inner = either();
      if (!take(")")) throw new QueryError("has a ( without its )");
      return inner;
    }
    return termOf(tokens[at++]);
  };
  const query = either();
  if (at < tokens.length) throw new QueryError("has a ) without its (");
  return query;
}

function termOf(token: Token | undefined): Query {
  if (!token) throw new QueryError("ends where a word is missing");
  if ("sign" in token) throw new QueryError(`has ${token.sign} where a word is missing`);
  if ("phrase" in token) return token;
  const { text } = token;
  return text.length > 1 && text.endsWith("*") ? { prefix: text.slice(0, -1) } : { word: text };
}
