/** The encoding of a text that does not tell it: by what its bytes could be, and what its characters would be then. */

export interface Decoded {
  text: string;
  /** As the WHATWG Encoding Standard names it. */
  charset: string;
}

const MARKS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];
const GUESSES = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "windows-1251", "windows-1252"];
/** Enough for a guess. */
const SAMPLE = 100_000;

/** Kana, Hangul, and the Han of everyday texts are likely; private and rare characters are not. */
const LIKELY: readonly [RegExp, number][] = [
  [/[\u3040-\u30ff]/gu, 3],
  [/[\uac00-\ud7af]/gu, 2],
  [/[\u4e00-\u9fff]/gu, 1],
  [/[\u0400-\u045f]/gu, 1],
  [/[äöüßéèêàáâçñóúíìòùåøæÄÖÜÉ€’“”–]/gu, 1.5],
  [/[\uff61-\uff9f]/gu, -2],
  [/[\ue000-\uf8ff\u0080-\u009f]/gu, -10],
  [/[\u2500-\u259f¤¦¨ª¯°±²³´µ¶¸¹º¼½¾Þþð÷×]/gu, -2],
];

/** A declared encoding is tried first, as UTF-8 is. */
export function decodeBytes(bytes: Uint8Array, declared?: string): Decoded {
  const mark = MARKS.find(([start]) => start.every((byte, place) => bytes[place] === byte))?.[1];
  for (const charset of [mark, "utf-8", declared]) {
    const text = charset === undefined ? undefined : decoded(bytes, charset);
    if (charset !== undefined && text !== undefined) return { text, charset: charset.toLowerCase() };
  }
  const sample = bytes.subarray(0, SAMPLE);
  const [best = "windows-1252"] = GUESSES.map((charset) => ({ charset, score: scoreOf(sample, charset) }))
    .sort((a, b) => b.score - a.score)
    .map(({ charset }) => charset);
  return { text: new TextDecoder(best).decode(bytes), charset: best };
}

function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Points a byte above ASCII. A sample may end within a character. */
function scoreOf(sample: Uint8Array, charset: string): number {
  const text = decoded(sample, charset) ?? decoded(sample.subarray(0, -1), charset);
  if (text === undefined) return Number.NEGATIVE_INFINITY;
  return LIKELY.reduce((sum, [pattern, points]) => sum + points * (text.match(pattern)?.length ?? 0), 0);
}
