import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  storeBlobDelete,
  storeBlobGet,
  storeBlobList,
  storeBlobPut,
  storeUsage,
} from "../../src/capabilities/store/index.js";
import { openWalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("files", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const put = async (wallet: string, input: object) =>
    (await storeBlobPut({ ns: "f", key: "k", data: "AA==", ...input }, as(wallet))).items[0];
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

  it("WAL-26 come back byte for byte, with their digest", async () => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    const large = Buffer.alloc(3 * 1024 * 1024, every);
    for (const bytes of [every, large, Uint8Array.of(0)]) {
      const stored = await put("a", { data: base64(bytes), sha256: digest(bytes).toUpperCase() });
      expect(stored).toMatchObject({ stored: true, sha256: digest(bytes), contentType: "application/octet-stream" });
      expect(stored?.bytes).toBe(200 + 2 + 24 + bytes.byteLength);
      const got = await storeBlobGet({ ns: "f", key: "k" }, as("a"));
      expect([got.contentType, Buffer.compare(Buffer.from(got.body), bytes)]).toEqual(["application/octet-stream", 0]);
    }
    expect((await storeUsage({}, as("a"))).items[0]).toMatchObject({ blobs: { count: 1, bytes: 227 } });
  });

  it("WAL-26 are refused where they are empty, too large, no base64 or not what was meant", async () => {
    const refused = (input: object, path: string) =>
      expect(put("a", input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    for (const data of ["", "A", "AA", "AAA", "AB==", "A A=", "data:,AAAA", "AAAA\n", "____"])
      await refused({ data }, "data");
    await refused({ data: base64(Buffer.alloc(3 * 1024 * 1024 + 1)) }, "data");
    await refused({ sha256: "0".repeat(64) }, "sha256");
    for (const contentType of [
      "text",
      "a/b/c",
      'text/"x"',
      "text/plain\r\nset-cookie: a=b",
      "text/html; q=1",
      "/",
      "a/",
    ])
      await refused({ contentType }, "contentType");
  });

  it("WAL-26 are served so that a page among them cannot act in the host's name", async () => {
    const shop = openWalletShop({ capabilities: [storeBlobPut, storeBlobGet], wallets: engine.options() });
    const page = Buffer.from("<script>alert(1)</script>");
    const input = { ns: "f", key: "page.html", data: base64(page), contentType: "text/html" };
    expect((await shop.buy("store.blob-put", input)).status).toBe(200);
    const got = await shop.buy("store.blob-get", { ns: "f", key: "page.html" });
    expect([got.status, await got.text()]).toEqual([200, String(page)]);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-type": "text/html",
      "content-disposition": "attachment",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      etag: `"${digest(page)}"`,
    });
    await shop.handle.close();
  });

  it("are compared and set, listed page by page and deleted", async () => {
    const first = await put("b", { key: "p/1", data: "AQ==", ifVersion: 0 });
    expect(await put("b", { key: "p/1", ifVersion: 0 })).toEqual({
      ...{ key: "p/1", stored: false, reason: "version", version: first?.version },
    });
    for (const key of ["p/2", "p_3", "q"]) await put("b", { key, contentType: "image/png" });
    const list = (input: object) => storeBlobList({ ns: "f", ...input }, as("b"));
    const page = await list({ prefix: "p", limit: 2 });
    expect(page.items).toMatchObject([
      { key: "p/1", sha256: first?.sha256 },
      { key: "p/2", contentType: "image/png" },
    ]);
    const rest = await list({ prefix: "p", after: String(page.meta?.nextCursor) });
    expect([rest.items.map(({ key }) => key), rest.meta?.nextCursor]).toEqual([["p_3"], undefined]);
    const remove = async (input: object) =>
      (await storeBlobDelete({ ns: "f", key: "p/1", ...input }, as("b"))).items[0];
    expect(await remove({ ifVersion: 1 })).toEqual({ key: "p/1", deleted: false, reason: "version" });
    expect(await remove({})).toEqual({ key: "p/1", deleted: true });
    expect(await remove({})).toEqual({ key: "p/1", deleted: false });
    await expect(storeBlobGet({ ns: "f", key: "p/1" }, as("b"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(storeBlobGet({ ns: "f", key: "q" }, as("c"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
