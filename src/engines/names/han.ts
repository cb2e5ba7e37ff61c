/** Romanises Chinese names as lists write them: in pinyin, surname apart, given name in one word. */
import { lazy } from "../../lib/lazy.js";

const pinyinPro = lazy(async () => (await import("pinyin-pro")).pinyin);

/** Length of persons' names; companies' are longer. */
const PERSON = /^\p{Script=Han}{2,4}$/u;

/** Uses the readings of characters as surnames: 单雄信 is Shan Xiongxin. */
export async function readHan(text: string): Promise<string> {
  const pinyin = await pinyinPro();
  const isName = PERSON.test(text.replace(/[\s·・•]/gu, ""));
  return text.replace(/\p{Script=Han}+/gu, (run) => {
    const syllables = pinyin(run, { toneType: "none", type: "array", surname: isName ? "head" : "off" });
    const surname = isName && COMPOUND.test(run) ? 2 : 1;
    if (!isName || syllables.length <= surname) return ` ${syllables.join(" ")} `;
    return ` ${syllables.slice(0, surname).join("")} ${syllables.slice(surname).join("")} `;
  });
}

/** Surnames of two characters. */
const COMPOUND =
  /^(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|东方|東方|皇甫|尉迟|尉遲|公孙|公孫|慕容|令狐|司徒|长孙|長孫|宇文|端木|夏侯|轩辕|軒轅|澹台|呼延|南宫|南宮|西门|西門|独孤|獨孤|拓跋)./u;
