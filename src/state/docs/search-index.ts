/** Word index of documents: builds the tsvector of a document and the tsquery of a search. */
import { setImmediate as othersTurn } from "node:timers/promises";
import { type Query, QueryError } from "./search-query.js";
import { type Piece, piecesOf, type Word } from "./words.js";

/** Words beyond this length are not indexed, because a tsvector is limited. */
export const MAX_INDEXED_CHARACTERS = 131_072;
export const MAX_INDEXED_WORDS = 32_768;
/** A tsvector has a megabyte at most, and positions up to 16,383, of which a word has 255. */
const MAX_BYTES = 1_000_000;
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** Approximate size of a word and one position, beside its letters. */
const ENTRY_BYTES = 8;
/** After this many words other work gets a turn. */
const WORDS_AT_ONCE = 2048;

/** A tsvector as text. Words consist of letters, digits and emoji, so nothing needs an escape. */
export async function vectorOf(text: string): Promise<string> {
  const positions = new Map<string, number[]>();
  let [position, bytes] = [0, 0];
  const add = (word: string): void => {
    const seen = positions.get(word);
    bytes += seen ? 2 : Buffer.byteLength(word) + ENTRY_BYTES;
    if (!seen) positions.set(word, [Math.min(position, MAX_POSITION)]);
    else if (seen.length < MAX_POSITIONS) seen.push(Math.min(position, MAX_POSITION));
  };
  // Removes half of a surrogate pair that the limit cut.
  for (const piece of piecesOf(text.slice(0, MAX_INDEXED_CHARACTERS).replace(/\p{Cs}$/u, "")))
    for (const word of wordsOf(piece)) {
      // guard: wallets: a list of words has its bounds | > MAX_INDEXED_WORDS || bytes > MAX_BYTES -> < 0 | state/search
      if (++position > MAX_INDEXED_WORDS || bytes > MAX_BYTES) return written(positions);
      add(word.exact);
      if (word.folded) add(word.folded);
      if (position % WORDS_AT_ONCE === 0) await othersTurn();
    }
  return written(positions);
}

/**
 * A run of characters is indexed by pairs of neighbours, and by its last character alone, so that any part is found.
 */
function* wordsOf(piece: Piece): Generator<Word> {
  if (!("run" in piece)) return yield piece;
  for (const [i, character] of piece.run.entries()) yield { exact: character + (piece.run[i + 1] ?? "") };
}

const written = (positions: Map<string, number[]>): string =>
  Array.from(positions, ([word, at]) => `'${word}':${at.join(",")}`).join(" ");

/** Limit of the words of a query after splitting. */
const MAX_WORDS = 64;
const MAX_PREFIXES = 16;

export interface IndexQuery {
  /** The condition, as a tsquery. */
  condition: string;
  /** The words for ranking, joined by OR, so that its cost is linear in their number. */
  ranked: string | undefined;
}

/** Undefined if the query has no word, so that nothing matches. Throws a QueryError. */
export function askedOf(query: Query): IndexQuery | undefined {
  let [words, prefixes] = [0, 0];
  const wanted = new Set<string>();
  const alternatives = (word: Word, isPrefix: boolean, isWanted: boolean): string => {
    if (++words > MAX_WORDS)
      throw new QueryError(`has more than ${MAX_WORDS} words; of scripts without blanks two characters are one`);
    if (isPrefix && ++prefixes > MAX_PREFIXES)
      throw new QueryError(
        `has more than ${MAX_PREFIXES} prefixes; a single character of a script without blanks is one`,
      );
    const lexemes = [word.exact, word.folded].flatMap((one) => (one ? [`'${one}'${isPrefix ? ":*" : ""}`] : []));
    if (isWanted) for (const lexeme of lexemes) wanted.add(lexeme);
    return `(${lexemes.join(" | ")})`;
  };
  /** A phrase: words side by side, ignoring anything between them that is not a word. */
  const neighbours = (text: string, isPrefix: boolean, isWanted: boolean): string | undefined => {
    let [last, sql] = [0, ""];
    for (const { word, at, isOpen } of placedWords(Array.from(piecesOf(text)), isPrefix)) {
      const part = alternatives(word, isOpen, isWanted);
      sql = sql === "" ? part : `${sql} <${at - last}> ${part}`;
      last = at;
    }
    return sql === "" ? undefined : `(${sql})`;
  };
  const write = (part: Query, isWanted: boolean): string | undefined => {
    if ("word" in part) return neighbours(part.word, false, isWanted);
    if ("phrase" in part) return neighbours(part.phrase, false, isWanted);
    if ("prefix" in part) return neighbours(part.prefix, true, isWanted);
    if ("not" in part) {
      const inner = write(part.not, !isWanted);
      return inner && `!${inner}`;
    }
    const [parts, sign] = "and" in part ? [part.and, " & "] : [part.or, " | "];
    const found = parts.flatMap((one) => write(one, isWanted) ?? []);
    return found.length === 0 ? undefined : `(${found.join(sign)})`;
  };
  const condition = write(query, true);
  return condition === undefined
    ? undefined
    : { condition, ranked: wanted.size === 0 ? undefined : Array.from(wanted).join(" | ") };
}

interface Placed {
  word: Word;
  /** Place among the words of its text, where each character of a run is one. */
  at: number;
  /** Whether longer words that begin with it match too. */
  isOpen: boolean;
}

/** The words of a phrase; of a prefix the last one is open, unless it is a run. */
function* placedWords(pieces: Piece[], isPrefix: boolean): Generator<Placed> {
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    if ("run" in piece) {
      for (const { word, offset, isOpen } of pairsOf(piece.run)) yield { word, at: at + offset, isOpen };
      at += piece.run.length;
    } else yield { word: piece, at: at++, isOpen: isPrefix && i === pieces.length - 1 };
  }
}

/**
 * Every second pair covers a run; its last pair covers an odd end. A single character matches the beginning of any
 * pair.
 */
function pairsOf(run: string[]): { word: Word; offset: number; isOpen: boolean }[] {
  if (run.length === 1) return [{ word: { exact: run[0] ?? "" }, offset: 0, isOpen: true }];
  const last = run.length - 2;
  const offsets = Array.from({ length: Math.ceil(run.length / 2) }, (_, i) => Math.min(2 * i, last));
  return offsets.map((offset) => ({ word: { exact: `${run[offset]}${run[offset + 1]}` }, offset, isOpen: false }));
}
