/** Chinese texts as work of a thread: long ones take a while, and so does it to load the dictionaries. */
import { convertText, type Locale } from "./convert.js";
import { readSyllables, readWords, type Tone } from "./pinyin.js";

export const convertTask = ({ text, from, to }: { text: string; from: Locale; to: Locale }): Promise<string> =>
  convertText(text, from, to);

export async function pinyinTask({ text, tone, segmented }: { text: string; tone: Tone; segmented: boolean }) {
  const { pinyin, syllables } = await readSyllables(text, tone);
  return { pinyin, syllables, words: segmented ? await readWords(text, tone) : undefined };
}
