/** What is found by its words: in every script, whatever is in the texts, and after an upgrade. */
import { expect, it } from "vitest";
import { storeDocPut, storeDocSearch } from "../../src/capabilities/store/index.js";
import { migrate } from "../../src/lib/migrations.js";
import { createResources } from "../../src/lib/resources.js";
import { cleanUp } from "../../src/state/cleanup.js";
import { MIGRATIONS } from "../../src/state/database/migrations.js";
import { openWallets } from "../../src/state/database/open.js";
import { askedOf, MAX_INDEXED_WORDS, vectorOf } from "../../src/state/docs/search-index.js";
import { readQuery } from "../../src/state/docs/search-query.js";
import { piecesOf } from "../../src/state/docs/words.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** What took a parser, a normalization or a list of words more than its length says. */
const HOSTILE = {
  "hyphens, dots and underscores": "a-b1.c_".repeat(18_000),
  "marks out of order": `a${"\u0301\u0316".repeat(65_000)}`,
  "half-width marks out of order": `a${"\u0301\uFF9E".repeat(65_000)}`,
  "ligatures of eighteen letters": "\uFDFA".repeat(131_072),
  "one long word": "x".repeat(131_072),
  "one long run": "東京".repeat(65_536),
  "joined emoji": "😀\u200D".repeat(40_000),
  "unlike words": Array.from({ length: 30_000 }, (_, i) => i.toString(36)).join(" "),
  "long unlike words": Array.from({ length: 2000 }, (_, i) => `${"é".repeat(60)}${i.toString(36)}`).join(" "),
  "tags of an address": `<a href="${"x.y/?".repeat(25_000)}`,
};

it("WAL-24 a list of words has its bounds, whatever the text, and others have their turn while it is made", async () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    const list = await vectorOf(text);
    const words = list.split(" ");
    const positions = words.flatMap((word) => word.slice(word.lastIndexOf(":") + 1).split(","));
    expect([name, Buffer.byteLength(list) < 1_200_000], name).toEqual([name, true]);
    expect(Math.max(...words.map((word) => word.length)), name).toBeLessThan(2000);
    expect(positions.length, name).toBeLessThanOrEqual(2 * MAX_INDEXED_WORDS);
  }
  let [turns, going] = [0, true];
  const turn = () => {
    turns++;
    if (going) setImmediate(turn);
  };
  turn();
  await vectorOf(HOSTILE["unlike words"]);
  going = false;
  expect(turns).toBeGreaterThan(10);
});

it("WAL-24 a list has so many words", async () => {
  const characters = Array.from({ length: 40_000 }, (_, i) => String.fromCodePoint(0x20000 + i)).join(" ");
  expect((await vectorOf(characters)).split(" ").length).toBe(MAX_INDEXED_WORDS);
});

it("WAL-24 a letter keeps eight marks: what sorts them never meets more", () => {
  const [word] = piecesOf(`a${"\u0301\u0316".repeat(500)}`);
  expect(word && "exact" in word ? word.exact.normalize("NFD").length : 0).toBe(9);
});

it("WAL-24 a query has its bounds once its words have fallen apart", () => {
  expect(() => askedOf(readQuery("a-".repeat(65)))).toThrow("more than 64 words");
  expect(() => askedOf(readQuery("東京".repeat(65)))).toThrow("more than 64 words");
  expect(() => askedOf(readQuery(Array.from({ length: 17 }, (_, i) => `w${i}*`).join(" ")))).toThrow("16 prefixes");
  expect(() => askedOf(readQuery("\uFDFA".repeat(500)))).toThrow("more than 64 words");
  expect(askedOf(readQuery("!!! -?"))).toBeUndefined();
  // Its order is made of words that are joined by OR, each of which is looked up once.
  expect(askedOf(readQuery('a b "c d" -e'))?.ranked).toBe("'a' | 'b' | 'c' | 'd'");
});

const TEXTS: Record<string, string> = {
  tokyo: "私は東京都庁で働いています。iPhone手机２０２４年",
  kana: "ﾊﾝｶｸのラーメンを食べる",
  seoul: "저는 서울에서 한국어를 배웁니다",
  bangkok: "ภาษาไทยไม่มีช่องว่างระหว่างคำและมีน้ำ",
  yangon: "မြန်မာဘာသာစကား",
  paris: "Un café à l'ÉCOLE, Straße, Łódź, smørrebrød",
  moscow: "Зелёная ёлка и йод",
  athens: "ΣΊΣΥΦΟΣ και ὁδός",
  jerusalem: "שָׁלוֹם עולם مُحَمَّد",
  delhi: "में हिन्दी है",
  party: "well done 👍🏽🎉🎉 see 👨‍👩‍👧 in 🇩🇪🇫🇷 ❤️ 1️⃣",
  plain: "cafe ecole елка, well-known e-mail a@example.com and snake_case 3.14",
  far: `${"前".repeat(3000)}${"語言".repeat(300)}漢字の終わり`,
};

const FOUND: [query: string, ids: string[]][] = [
  ...([
    ["東京都庁", ["tokyo"]],
    ["京都", ["tokyo"]],
    ["都庁", ["tokyo"]],
    ["都庁で", ["tokyo"]],
  ] as [string, string[]][]),
  ...([
    ["庁", ["tokyo"]],
    ["働いて", ["tokyo"]],
    ["手机", ["tokyo"]],
    ["IPHONE手机", ["tokyo"]],
  ] as [string, string[]][]),
  ...([
    ["2024年", ["tokyo"]],
    ["東京 手机", ["tokyo"]],
    ['"東京手机"', []],
    ["庁都", []],
    ["東庁", []],
  ] as [string, string[]][]),
  ...([
    ["ハンカク", ["kana"]],
    ["ーメ", ["kana"]],
    ["ラーメン", ["kana"]],
    ["東京 -手机", []],
  ] as [string, string[]][]),
  ...([
    ["서울", ["seoul"]],
    ["국어", ["seoul"]],
    ["한국어를", ["seoul"]],
    ["배", ["seoul"]],
  ] as [string, string[]][]),
  ...([
    ["ช่องว่าง", ["bangkok"]],
    ["ไทย", ["bangkok"]],
    ["น้ำ", ["bangkok"]],
    ["ဘာသာ", ["yangon"]],
  ] as [string, string[]][]),
  ...([
    ["café", ["paris", "plain"]],
    ["cafe", ["paris", "plain"]],
    ["ecole", ["paris", "plain"]],
  ] as [string, string[]][]),
  ...([
    ["école", ["paris", "plain"]],
    ["strasse", ["paris"]],
    ["lodz", ["paris"]],
    ["smorre*", ["paris"]],
  ] as [string, string[]][]),
  ...([
    ["елка", ["moscow", "plain"]],
    ["ЁЛКА", ["moscow", "plain"]],
    ["зеленая", ["moscow"]],
  ] as [string, string[]][]),
  ...([
    ["σισυφος", ["athens"]],
    ["οδος", ["athens"]],
    ["שלום", ["jerusalem"]],
    ["محمد", ["jerusalem"]],
  ] as [string, string[]][]),
  ...([
    ["हिन्दी", ["delhi"]],
    ["🎉", ["party"]],
    ["👍", ["party"]],
    ["👍🏿", ["party"]],
    ["👨‍👩‍👧", ["party"]],
  ] as [string, string[]][]),
  ...([
    ["🇫🇷", ["party"]],
    ["❤", ["party"]],
    ["😀", []],
    ['"done 👍 🎉"', ["party"]],
  ] as [string, string[]][]),
  ...([
    ["well-known", ["plain"]],
    ["known", ["plain"]],
    ["example.com", ["plain"]],
    ["snake_case", ["plain"]],
  ] as [string, string[]][]),
  ...([
    ["3.14", ["plain"]],
    ["case snake", ["plain"]],
    ['"case snake"', []],
    ["漢字", ["far"]],
  ] as [string, string[]][]),
  ...([
    ["終わり", ["far"]],
    ["字の終わ", ["far"]],
  ] as [string, string[]][]),
];

onBothEngines("search", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const searched = async (wallet: string, query: string) =>
    (await storeDocSearch({ ns: "n", query, bodies: false }, as(wallet))).items;

  it("WAL-24 finds words anywhere in scripts without blanks, emoji, and letters with and without their accents", async () => {
    for (const [id, body] of Object.entries(TEXTS)) await storeDocPut({ ns: "n", id, body }, as("w"));
    for (const [query, ids] of FOUND)
      expect([query, (await searched("w", query)).map(({ id }) => id).sort()]).toEqual([query, ids]);
    // What is written as it was asked for is the better one.
    expect((await searched("w", "café")).map(({ id }) => id)).toEqual(["paris", "plain"]);
    expect((await searched("w", "ёлка")).map(({ id }) => id)).toEqual(["moscow", "plain"]);
  });

  it("WAL-24 keeps and finds texts that were made to keep a parser busy", async () => {
    for (const [name, text] of Object.entries(HOSTILE)) {
      const id = name.replaceAll(" ", "-").replaceAll(",", "");
      const { items } = await storeDocPut({ ns: "h", id, body: { needle: `needle ${text}` } }, as("h"));
      expect([name, items[0]?.stored]).toEqual([name, true]);
    }
    const { items } = await storeDocSearch({ ns: "h", query: "needle", bodies: false }, as("h"));
    expect(items.length).toBe(Object.keys(HOSTILE).length);
  }, 60_000);

  it("WAL-24 ranks 32 words over long documents", async () => {
    const letters = Array.from({ length: 32 }, (_, i) => `w${i}`);
    const body = `${letters.join(" ")} `.repeat(300);
    for (let i = 0; i < 20; i++) await storeDocPut({ ns: "r", id: `d${i}`, body }, as("r"));
    const { items } = await storeDocSearch({ ns: "r", query: letters.join(" "), bodies: false }, as("r"));
    expect(items.length).toBe(20);
    expect(items.every(({ score }) => score > 0 && score < 1)).toBe(true);
  }, 60_000);

  it("WAL-63 finds what the last release has kept, at once and after rounds of clearing away", async () => {
    const schema = `old_${engine.name.toLowerCase()}`;
    const wallets = engine.options({ schema });
    const resources = createResources();
    // The tables and the statement of the last release.
    const before = await openWallets({ wallets: engine.options(), resources });
    await before.query(migrate(schema, MIGRATIONS.slice(0, 3)));
    const old = (wallet: string, id: string, body: string) =>
      before.query(
        `insert into ${schema}.docs (wallet, ns, id, body, document, meta, words, bytes, version, rolling, expires_at, updated_at)
         values ($1, 'n', $2, $3, null, '{}', to_tsvector('simple', $4::text), 300, nextval('${schema}.versions'), true,
           now() + interval '90 days', now())`,
        [wallet, id, JSON.stringify({ body, meta: {} }), body],
      );
    for (let i = 0; i < 120; i++) await old("a", `d${i}`, `文書番号${i}東京都庁 café`);
    await old("b", "d", "私は東京都庁で働いています");
    const find = async (wallet: string, query: string) =>
      (await storeDocSearch({ ns: "n", query, limit: 1000, bodies: false }, { wallet, wallets })).items.length;
    expect(await find("a", "都庁")).toBe(120);
    const stale = async () =>
      (await before.query(`select from ${schema}.docs where worded is distinct from version`)).rows.length;
    // Those of another wallet wait for their round.
    expect(await stale()).toBe(1);
    await cleanUp(await openWallets({ wallets, resources }), null);
    expect(await stale()).toBe(0);
    expect(await find("b", "京都")).toBe(1);
    // An older release that runs beside writes as it always did.
    await before.query(
      `update ${schema}.docs set body = $1, words = to_tsvector('simple', '京'), version = nextval('${schema}.versions') where wallet = 'b'`,
      [JSON.stringify({ body: "新しい文書", meta: {} })],
    );
    expect(await find("b", "しい")).toBe(1);
    await resources.close();
  }, 60_000);
});
