import { expect, it } from "vitest";
import * as store from "../../src/capabilities/store/index.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("documents", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const put = async (wallet: string, input: object) =>
    (await store.storeDocPut({ ns: "n", id: "d", body: "", ...input }, as(wallet))).items[0];
  const get = async (wallet: string, id = "d") => (await store.storeDocGet({ ns: "n", id }, as(wallet))).items[0];

  it("come back as they were put, and are compared and set", async () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}, "z": 1e308, "b": [], "é": "\\u0001"}');
    const first = await put("a", { body: odd, meta: { tags: ["x"] } });
    expect(first).toMatchObject({ id: "d", stored: true });
    const got = await get("a");
    expect(JSON.stringify(got?.body)).toBe(JSON.stringify(odd));
    expect(got).toMatchObject({ meta: { tags: ["x"] }, version: first?.version });
    expect(await put("a", { ifVersion: 0 })).toMatchObject({ stored: false, reason: "version" });
    await put("a", { body: "text" });
    expect(await get("a")).toMatchObject({ body: "text", meta: {} });
    const used = await store.storeUsage({}, as("a"));
    expect(used.items[0]).toMatchObject({ docs: { count: 1, bytes: 200 + 2 + 6 + 2 } });
    expect((await store.storeDocDelete({ ns: "n", id: "d" }, as("a"))).items).toEqual([{ id: "d", deleted: true }]);
    expect((await store.storeDocDelete({ ns: "n", id: "d" }, as("a"))).items).toEqual([{ id: "d", deleted: false }]);
    await expect(get("a")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("WAL-22 refuse what a database's text cannot hold, naming the field", async () => {
    for (const [path, input] of [
      ["body", { body: "a\0b" }],
      ["body", { body: { "k\0": 1 } }],
      ["body", { body: { k: ["\ud800"] } }],
      ["meta", { meta: { k: "\udc00" } }],
      ["body", { body: 7 }],
      ["body", { body: [] }],
      ["body", { body: "x".repeat(1024 * 1024) }],
      ["meta", { meta: [] }],
      ["meta", { meta: { k: "x".repeat(16 * 1024) } }],
    ] as const)
      await expect(put("a", input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, -0]));
    expect(await put("a", { body: { ...wide, ["x".repeat(300_000)]: "😀" } })).toMatchObject({ stored: true });
  });

  it("are patched by RFC 7396", async () => {
    const patch = (input: object) => store.storeDocPatch({ ns: "n", id: "d", ...input }, as("p"));
    await expect(patch({ body: {} })).rejects.toMatchObject({ code: "NOT_FOUND" });
    // The example of the RFC.
    const body = {
      title: "Goodbye!",
      author: { givenName: "John", familyName: "Doe" },
      tags: ["a", "b"],
      content: "x",
    };
    await put("p", { body, meta: { keep: 1, drop: 2 } });
    const change = { title: "Hello!", phone: "+01", author: { familyName: null }, tags: ["a"] };
    expect((await patch({ body: change, meta: { drop: null } })).items[0]).toMatchObject({ stored: true });
    expect(await get("p")).toMatchObject({
      body: { title: "Hello!", author: { givenName: "John" }, tags: ["a"], content: "x", phone: "+01" },
      meta: { keep: 1 },
    });
    expect((await get("p"))?.meta).toEqual({ keep: 1 });
    await patch({ body: JSON.parse('{"__proto__": {"polluted": true}}') });
    expect(Object.hasOwn((await get("p"))?.body as object, "__proto__")).toBe(true);
    expect({}).not.toHaveProperty("polluted");
    expect((await patch({ body: {}, ifVersion: 1 })).items[0]).toMatchObject({ stored: false, reason: "version" });
    await expect(patch({})).rejects.toMatchObject({ issues: [{ path: "body" }] });
    // Each of the two fits, and both together are more than a request may bring.
    const half = Array(60_000).fill(0);
    await put("p", { body: { list: half } });
    await expect(patch({ body: { more: half } })).rejects.toMatchObject({
      issues: [{ path: "body", message: "after the patch it must have at most 100000 elements and members in all" }],
    });
    await put("p", { body: "text" });
    await expect(patch({ body: {} })).rejects.toMatchObject({ issues: [{ path: "body" }] });
    await patch({ meta: { a: 1 } });
    expect(await get("p")).toMatchObject({ body: "text", meta: { a: 1 } });
    await expect(patch({ meta: { b: "x".repeat(16_375) } })).rejects.toMatchObject({ issues: [{ path: "meta" }] });
  });

  it("keep the end that they were given when they are patched", async () => {
    const before = await put("e", { body: {}, ttlSeconds: 3600 });
    await store.storeDocPatch({ ns: "n", id: "d", body: { a: 1 } }, as("e"));
    expect(await get("e")).toMatchObject({ body: { a: 1 }, expiresAt: before?.expiresAt });
  });

  it("WAL-27 are listed in any order page by page, and no cursor that callers make up breaks it", async () => {
    const values = [3, "b", 1, null, "a", 2, [], 3, "B", -1.5, "a"];
    for (const [i, v] of values.entries()) await put("l", { id: `d${i}`, body: { v } });
    type Given = Parameters<typeof store.storeDocQuery>[0];
    const query = (input: Partial<Given>) => store.storeDocQuery({ ns: "n", ...input }, as("l"));
    const all = async (sort: Given["sort"], limit: number) => {
      const seen: unknown[] = [];
      for (let after: string | undefined; ; ) {
        const page = await query({ sort, limit, ...(after ? { after } : {}) });
        seen.push(...page.items.map(({ id, body }) => `${JSON.stringify((body as { v: unknown }).v)} ${id}`));
        after = page.meta?.nextCursor as string | undefined;
        if (!after) return seen;
      }
    };
    const rising = [
      "-1.5 d9",
      "1 d2",
      "2 d5",
      "3 d0",
      "3 d7",
      '"B" d8',
      '"a" d10',
      '"a" d4',
      '"b" d1',
      "null d3",
      "[] d6",
    ];
    for (const limit of [1, 3, 50]) expect(await all([{ path: "/body/v" }], limit)).toEqual(rising);
    const falling = await all([{ path: "/body/v", direction: "desc" }, { path: "/meta/none" }], 2);
    expect(falling.map((text) => String(text).split(" ")[0])).toEqual(
      rising.map((text) => text.split(" ")[0]).sort((a, b) => rankOf(b) - rankOf(a)),
    );
    function rankOf(value = ""): number {
      const first = rising.findIndex((text) => text.startsWith(`${value} `));
      return /^(?:null|\[\])$/.test(value) ? 100 : first;
    }
    expect((await query({ fields: ["/body/v", "/body/none"], limit: 1 })).items).toEqual([
      expect.objectContaining({ id: "d0", fields: { "/body/v": 3, "/body/none": null } }),
    ]);
    const cursor = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");
    const sort = [{ path: "/body/v" }];
    for (const made of [
      ...["", "x", "null", cursor(null), cursor({}), cursor({ id: "d0" }), cursor({ id: "\0", values: [[0, 1, ""]] })],
      cursor({ id: "d0", values: [[0, 1, "\0"]] }),
      cursor({ id: "d0", values: [[0, 1, "\ud800"]] }),
      cursor({ id: "d0", values: [[0, "1) or (true", ""]] }),
      cursor({ id: "d0", values: [] }),
    ])
      await expect(query({ sort, after: made })).rejects.toMatchObject({ issues: [{ path: "after" }] });
    const invented = cursor({ id: "zz", values: [[0, 1e300, "'; drop table docs; --"]] });
    expect((await query({ sort, after: invented })).items.length).toBe(6);
    for (const list of [store.storeKvScan, store.storeBlobList])
      await expect(list({ ns: "n", after: cursor("\0") }, as("l"))).rejects.toMatchObject({
        issues: [{ path: "after" }],
      });
  });

  it("end a page at 2 MB, and the next goes on", async () => {
    for (const id of ["1", "2", "3"]) await put("m", { id, body: "x ".repeat(450_000) });
    const first = await store.storeDocQuery({ ns: "n" }, as("m"));
    expect(first.items.map(({ id }) => id)).toEqual(["1", "2"]);
    const rest = await store.storeDocQuery({ ns: "n", after: String(first.meta?.nextCursor) }, as("m"));
    expect([rest.items.map(({ id }) => id), rest.meta?.nextCursor]).toEqual([["3"], undefined]);
    const found = await store.storeDocSearch({ ns: "n", query: "x" }, as("m"));
    expect([found.items.length, found.meta?.truncated]).toEqual([2, true]);
    expect((await store.storeDocSearch({ ns: "n", query: "x", bodies: false }, as("m"))).items.length).toBe(3);
  });

  it("WAL-24 are found by words, phrases and prefixes, in a stable order", async () => {
    await put("s", { id: "fox", body: "The quick brown fox", meta: { title: "animals" } });
    await put("s", { id: "dog", body: { text: "A lazy dog, brown and quick" } });
    await put("s", { id: "cat", body: { deep: [{ text: "Ünïcode cats don't" }] } });
    const search = async (query: string, more: object = {}) =>
      (await store.storeDocSearch({ ns: "n", query, ...more }, as("s"))).items.map(({ id }) => id).sort();
    for (const [query, ids] of [
      ["quick brown", ["dog", "fox"]],
      ['"quick brown"', ["fox"]],
      ["quick -fox", ["dog"]],
      ["quick AND NOT lazy", ["fox"]],
      ["fox OR cats", ["cat", "fox"]],
      ["(fox OR cats) animals", ["fox"]],
      ["bro*", ["dog", "fox"]],
      ["ÜNÏCODE", ["cat"]],
      ["don't", ["cat"]],
      ["o'b* OR \\'* OR quick", ["dog", "fox"]],
      ["the", ["fox"]],
      ["cat", []],
      ["!!! ???", []],
    ] as const)
      expect([query, await search(query)]).toEqual([query, ids]);
    expect(await search("quick", { filter: { "/meta/title": "animals" } })).toEqual(["fox"]);
    const ranked = async () => (await store.storeDocSearch({ ns: "n", query: "quick OR brown" }, as("s"))).items;
    expect((await ranked()).map(({ score }) => score).every((score) => score > 0 && score < 1)).toBe(true);
    expect(await ranked()).toEqual(await ranked());
  });

  it("WAL-24 answer any search: with what is found, or with what is wrong with it", async () => {
    const search = (query: string) => store.storeDocSearch({ ns: "n", query }, as("s"));
    for (const query of [
      '"',
      'a "b',
      "(",
      ")",
      "(a",
      "a)",
      "()",
      "AND",
      "a AND",
      "OR a",
      "NOT",
      "-(",
      "x".repeat(513),
      "w ".repeat(33),
    ])
      await expect(search(query), query).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "query" }] });
    const random = (i: number) =>
      Array.from({ length: 12 }, (_, j) =>
        "a\"'()&|!:*<->\\-\0\ud800 AND%_é".charAt((i * 7919 + j * 104729 + i * j) % 27),
      ).join("");
    for (const query of [
      "-",
      "*",
      "'",
      "\\",
      ":*",
      "a:*b",
      "<->",
      "a & | !b",
      "'; drop table docs; --",
      "$1",
      "-a",
      '""',
      ...Array.from({ length: 60 }, (_, i) => random(i)),
    ])
      await search(query).catch((error) => expect(error).toMatchObject({ issues: [{ path: "query" }] }));
    await put("s", { id: "long", body: `needle ${"w".repeat(3000)} ${"a b c ".repeat(170_000)}` });
    expect((await search("needle")).items[0]?.id).toBe("long");
    const distinct = Array.from({ length: 60_000 }, (_, i) => String.fromCodePoint(0x20000 + i)).join(" ");
    expect(await put("s", { id: "distinct", body: distinct })).toMatchObject({ stored: true });
  });
});
