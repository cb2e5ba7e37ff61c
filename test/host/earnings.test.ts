/** The page behind the host's login, as data and in a real browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { pageBrowser, violationsOf } from "../support/page-browser.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
const ask = (shop: ReturnType<typeof openShop>, query = "") =>
  shop.handle.earnings(new Request(`http://admin.test/earnings${query}`));

async function sold(times = 1) {
  const shop = openShop();
  for (let n = 0; n < times; n++) await shop.pay(`/test/work?n=${n}`, await shop.payFor(`/test/work?n=${n}`));
  return shop;
}

describe("the earnings page", () => {
  it("adds up sales by day, endpoint and payer, and lets nothing run on it", async () => {
    const shop = await sold(3);
    const response = await ask(shop);
    const html = await response.text();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).toContain("<dt>Earned</dt><dd>$0.003</dd>");
    expect(html).toContain("<dt>Paid calls</dt><dd>3</dd>");
    expect(html).toContain("test.work");
    expect(html).toContain("Every payment is settled.");
  });

  it("shows a settlement whose end is not known as pending", async () => {
    const shop = openShop();
    shop.facilitator.faults.settle.push("drop");
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    expect(response.status).toBe(502);
    const html = await (await ask(shop)).text();
    expect(html).toContain("<dt>Settlements pending</dt><dd>1</dd>");
    expect(html).toMatch(/Settlements pending.*test\.work/s);
  });

  it("gives the same as CSV, by what is asked for", async () => {
    const shop = await sold(2);
    const csv = await ask(shop, "?format=csv&by=endpoint");
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="earnings-.*\.csv"$/);
    expect((await csv.text()).split("\r\n")).toEqual([
      "endpoint,calls,settledUsd,creditUsedUsd,returnedUsd,creditedUsd,owedUsd,earnedUsd",
      "test.work,2,0.002,0,0,0,0,0.002",
      "",
    ]);
    expect((await (await ask(shop, "?format=csv")).text()).split("\r\n")[0]).toMatch(/^day,endpoint,payer,/);
  });

  it("says which day it cannot read, and escapes the brand", async () => {
    const shop = openShop({ brand: { name: "<script>alert(1)</script>" } });
    const refused = await ask(shop, "?from=yesterday");
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("from")]);
    expect(await (await ask(shop)).text()).not.toContain("<script>");
  });

  it("leaves out the host's own wallets", async () => {
    const shop = await sold();
    const { payer } = (await shop.handle.ledger({ by: ["payer"] })).rows[0] ?? {};
    const page = await shop.handle.earnings(new Request("http://admin.test/"), { ownWallets: [payer ?? ""] });
    expect(await page.text()).toContain("<dt>Paid calls</dt><dd>0</dd>");
  });
});

const browser = await pageBrowser();
afterAll(() => browser?.close());

describe.skipIf(!browser)("in a browser", () => {
  it("is readable in light and dark, at any width, and has nothing that axe finds wrong", async () => {
    const shop = await sold(3);
    shop.clock.advance(24 * 3600);
    await shop.pay(WORK, await shop.payFor(WORK));
    const server = createServer(async (request, response) => {
      const page = await shop.handle.earnings(new Request(`http://admin.test${request.url}`));
      response.writeHead(page.status, Object.fromEntries(page.headers)).end(await page.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const page = await browser?.newPage();
    if (!page) throw new Error("no browser");
    const complaints: string[] = [];
    page.on("console", (message) => void complaints.push(message.text()));
    for (const [scheme, width] of [
      ["light", 1200],
      ["dark", 390],
    ] as const) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `earnings-${scheme}.png`) });
      expect(await violationsOf(page), scheme).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await page.evaluate("getComputedStyle(document.querySelector('dd')).fontVariantNumeric")).toBe(
        "tabular-nums",
      );
    }
    // The icon that browsers ask for by themselves is none of ours here.
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  });
});
