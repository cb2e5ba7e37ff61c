/** Sample documents of a trial. */
import type { WriteScope } from "../wallet/scope.js";
import { wordsOf, writeDoc } from "./rows.js";

const DOCS = [
  { id: "tea", body: { title: "Green tea", price: 4, tags: ["drink", "hot"] }, meta: { lang: "en" } },
  { id: "lemonade", body: { title: "Lemonade", price: 3, tags: ["drink", "cold"] }, meta: { lang: "en" } },
  { id: "note", body: "Buy green tea and lemons.", meta: { lang: "en" } },
];

export async function putDocuments(scope: WriteScope): Promise<void> {
  const words = await Promise.all(DOCS.map(wordsOf));
  // guard: wallets: sample documents of a trial leave together |
  //   (doc, i) => -> async (doc, i) => (await new Promise((go) => setTimeout(go, 9999 * i))) || | sample
  await Promise.all(DOCS.map((doc, i) => writeDoc(scope, { ns: "menu", ...doc }, words[i] ?? "")));
}
