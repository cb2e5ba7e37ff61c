/** The page of a customer in a real browser: by a key, and by a wallet. */
import "../support/typescript-workers.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { shopWith } from "../accounts/invoices/shop.js";
import { browserStarts } from "../support/browser.js";
import { type Documentation, mainText, openDocumentation, openHost, press, violations } from "../support/docs-page.js";
import { buyer, SOLANA, addressOf as solanaAddressOf, treasury } from "../support/solana.js";

const starts = await browserStarts();
const options = { store: createMemoryStore(), accounts: { keys: true }, customer: true };
const docs: Documentation | undefined = starts ? await openDocumentation(options) : undefined;
const host = openHost(options);
afterAll(async () => {
  await docs?.close();
  await host.close();
});

const HOSTILE = `"><img src=x onerror="document.title='owned'">`;

async function withAccount(id: string) {
  await host.accounts.topUp(id, "5", { reference: "first" });
  await host.accounts.grant(id, { usd: "1", note: HOSTILE });
  const { key } = await host.accounts.createKey(id, { label: HOSTILE });
  for (let i = 0; i < 3; i++)
    await host(
      new Request("http://x/api/convert/unit?value=1&from=kg&to=lb", { headers: { authorization: `Bearer ${key}` } }),
    );
  return key;
}

async function entered(id: string, more: { width?: number; dark?: boolean } = {}) {
  const key = await withAccount(id);
  const page = await (docs as Documentation).open({ path: "/api/account", ...more });
  await page.type("#key", key);
  await press(page, "Open the account");
  await page.waitForSelector("#balance");
  return { page, key };
}

describe.skipIf(!starts)("the page of a customer", () => {
  test("shows what a key opens, keeps the key nowhere, and forgets it on leaving", async () => {
    const { page, key } = await entered("ada");
    const text = await mainText(page);
    for (const part of ["$5.997", "3 calls", "convert.unit", HOSTILE]) expect.soft(text).toContain(part);
    expect(await page.title()).not.toBe("owned");
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).not.toContain(key);
    expect(page.url()).not.toContain(key);
    await press(page, "Leave");
    await page.waitForSelector("#key");
    expect(await mainText(page)).not.toContain("5.997");
    expect(await page.$eval("#key", (field) => (field as unknown as { value: string }).value)).toBe("");
    expect(page.complaints).toEqual([]);
  });

  test("makes, rotates and revokes keys, and shows each new one once", async () => {
    const { page } = await entered("bob");
    await page.click("::-p-text(Make a key)");
    await page.type("#key-label", "second");
    await page.type("#key-daily", "2");
    await page.type("#key-scope", "convert, field.near");
    await press(page, "Make a key");
    const secret = async () =>
      page.$eval(".secret", (code) => (code as unknown as { textContent: string }).textContent);
    await page.waitForSelector(".secret");
    const first = await secret();
    const [, made] = await host.accounts.listKeys("bob");
    expect(made).toMatchObject({
      label: "second",
      limits: { usdPerDay: "2", groups: ["convert"], endpoints: ["field.near"] },
    });
    await press(page, "Rotate second");
    await page.waitForFunction(`document.querySelector(".secret").textContent !== ${JSON.stringify(first)}`);
    // The list follows the new key.
    await page.waitForFunction(`document.querySelectorAll('[aria-label="Revoke second"]').length === 2`);
    await page.$$eval('[aria-label="Revoke second"]', (all) => (all.at(-1) as unknown as { click(): void }).click());
    await page.waitForFunction('document.querySelector("#content").textContent.includes("is revoked")');
    expect((await host.accounts.listKeys("bob"))[2]?.revokedAt).toBeDefined();
    await page.locator("#key-daily").fill("much");
    await press(page, "Make a key");
    await page.waitForFunction('[...document.querySelectorAll(".issue")].some((one) => one.textContent !== "")');
    expect(page.complaints.filter((one) => !one.includes("400"))).toEqual([]);
  });

  test("downloads all of a statement as one file", async () => {
    const { page } = await entered("cyd");
    await page.evaluate(
      "window.files = []; URL.createObjectURL = (blob) => { blob.text().then((text) => files.push(text)); return 'blob:none'; }",
    );
    await press(page, "Download CSV");
    await page.waitForFunction("files.length === 1");
    const text = (await page.evaluate("files[0]")) as string;
    expect(text.trim().split("\r\n")).toHaveLength(6);
    expect(text).toMatch(/^id,at,kind,usd/);
  });

  test("closes the account after a question, and shows nothing of it any more", async () => {
    const { page, key } = await entered("eve");
    await press(page, "Close the account …");
    await press(page, "Keep it");
    expect(await host.accounts.listKeys("eve")).toHaveLength(1);
    await press(page, "Close the account …");
    await press(page, "Close the account");
    await page.waitForSelector(".said");
    const text = await mainText(page);
    for (const part of ["The account is closed.", "$5 are given back", "Its book is kept until"])
      expect.soft(text).toContain(part);
    expect(await host.accounts.listKeys("eve")).toEqual([]);
    await page.type("#key", key);
    await press(page, "Open the account");
    await page.waitForFunction('document.querySelector(".issue").textContent.includes("not known")');
  });

  test.each([
    [375, false],
    [1280, true],
  ])("fits %i px without scrolling sideways, and axe-core finds nothing wrong", async (width, dark) => {
    const { page } = await entered(`wide-${width}`, { width, dark });
    await page.click("::-p-text(By day and endpoint)");
    await page.click("::-p-text(Make a key)");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await violations(page)).toEqual([]);
    await press(page, "Close the account …");
    expect(await violations(page)).toEqual([]);
    const bare = await (docs as Documentation).open({ path: "/api/account", width, dark });
    expect(await violations(bare)).toEqual([]);
  });

  test("is opened by a wallet's signature for this service alone, and linked by the documentation", async () => {
    const wallet = privateKeyToAccount(`0x${"1".repeat(64)}`);
    const baseUrl = "http://acme.example";
    const topUp = { minUsd: "1", maxUsd: "9" };
    const shop = openHost({
      accounts: { keys: true, topUp },
      customer: true,
      brand: { name: "Acme", slug: "acme", baseUrl },
    });
    const account = `eip155:8453:${wallet.address.toLowerCase()}`;
    await shop.accounts.topUp(account, "3", { reference: "gift" });
    const signed: string[] = [];
    const page = await (docs as Documentation).open({
      path: "/api/account",
      async before(tab) {
        await tab.exposeFunction("walletSigns", async (raw: `0x${string}`) => {
          signed.push(Buffer.from(raw.slice(2), "hex").toString());
          return wallet.signMessage({ message: { raw } });
        });
        const address = wallet.address.toLowerCase();
        await tab.evaluateOnNewDocument(
          `window.ethereum = { request: async ({ method, params }) => method === "personal_sign" ? walletSigns(params[0]) : ["${address}"] };`,
        );
        await tab.setRequestInterception(true);
        tab.on("request", async (request) => {
          const { pathname, search } = new URL(request.url());
          const body = request.postData();
          const init = { method: request.method(), headers: request.headers(), ...(body ? { body } : {}) };
          const answer = await shop(new Request(baseUrl + pathname + search, init));
          const headers = Object.fromEntries(answer.headers);
          await request.respond({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
        });
      },
    });
    await press(page, "Sign in with a wallet");
    await page.waitForFunction('document.querySelector(".issue").textContent !== ""');
    expect(await mainText(page)).toContain("This service is at acme.example");
    expect(signed).toEqual([]);
    await page.goto(`${baseUrl}/api/account`);
    await page.waitForSelector("main h1");
    await press(page, "Sign in with a wallet");
    await page.waitForSelector("#balance");
    expect(await mainText(page)).toContain("$3");
    expect(signed).toHaveLength(1);
    expect(await (await shop(new Request(`${baseUrl}/api/docs`))).text()).toContain(
      '<a href="/api/account">Your account</a>',
    );
    await shop.close();
  });

  test("is opened by a Solana wallet's signature of the text that the service offered", async () => {
    const baseUrl = "http://acme.example";
    const shop = openHost({
      accounts: { keys: true, topUp: { minUsd: "1", maxUsd: "9" } },
      customer: true,
      brand: { name: "Acme", slug: "acme", baseUrl },
      payment: {
        treasury: { [SOLANA]: solanaAddressOf(treasury) },
        facilitator: { url: "https://facilitator.test" },
        rpc: false,
      },
    });
    const account = `${SOLANA}:${solanaAddressOf(buyer)}`;
    await shop.accounts.topUp(account, "3", { reference: "gift" });
    const signed: string[] = [];
    const answerBy = { other: false };
    const page = await (docs as Documentation).open({
      path: "/api/account",
      async before(tab) {
        await tab.exposeFunction("walletSigns", (bytes: number[]) => {
          const text = Buffer.from(bytes);
          signed.push(text.toString());
          return [...ed25519.sign(text, buyer.secretKey.slice(0, 32))];
        });
        await tab.exposeFunction("changesText", () => answerBy.other);
        await tab.evaluateOnNewDocument(`{
          const account = { address: "${solanaAddressOf(buyer)}", chains: ["solana:mainnet"] };
          const wallet = { version: "1.0.0", name: ${JSON.stringify(HOSTILE)}, chains: ["solana:mainnet"], accounts: [], features: {
            "standard:connect": { connect: async () => ({ accounts: [account] }) },
            "solana:signMessage": { signMessage: async ({ message }) => {
              const other = await changesText();
              const signature = Uint8Array.from(await walletSigns([...message]));
              return [{ signedMessage: other ? message.slice(1) : message, signature }];
            } },
          } };
          const greet = ({ register }) => register(wallet);
          window.addEventListener("wallet-standard:app-ready", ({ detail }) => greet(detail));
        }`);
        await tab.setRequestInterception(true);
        tab.on("request", async (request) => {
          const { pathname, search } = new URL(request.url());
          const body = request.postData();
          const init = { method: request.method(), headers: request.headers(), ...(body ? { body } : {}) };
          const answer = await shop(new Request(baseUrl + pathname + search, init));
          const headers = Object.fromEntries(answer.headers);
          await request.respond({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
        });
      },
    });
    await page.goto(`${baseUrl}/api/account`);
    await page.waitForSelector("main h1");
    const name = `Sign in with ${HOSTILE} on Solana`;
    const pressed = () =>
      page.evaluate(
        `[...document.querySelectorAll("button")].find((one) => one.textContent === ${JSON.stringify(name)}).click()`,
      );
    expect(await violations(page)).toEqual([]);
    answerBy.other = true;
    await pressed();
    await page.waitForFunction('document.querySelector(".issue").textContent.includes("signed another text")');
    answerBy.other = false;
    await pressed();
    await page.waitForSelector("#balance");
    expect(await mainText(page)).toContain("$3");
    expect(signed[1]).toMatch(/^acme\.example wants you to sign in with your Solana account:\n/);
    expect(await page.title()).not.toBe("owned");
    await shop.close();
  });

  test("lists invoices with their files, and keeps the buyer's particulars", async () => {
    const shop = shopWith(undefined, { customer: true });
    const { key } = await shop.buy("11.9");
    const page = await (docs as Documentation).open({
      path: "/api/account",
      async before(tab) {
        await tab.setRequestInterception(true);
        tab.on("request", async (request) => {
          const { pathname, search } = new URL(request.url());
          const body = request.postData();
          const init = { method: request.method(), headers: request.headers(), ...(body ? { body } : {}) };
          const answer = await shop.handle(new Request(`http://shop.test${pathname}${search}`, init), {
            clientAddress: "203.0.113.7",
          });
          const headers = Object.fromEntries(answer.headers);
          await request.respond({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
        });
        await tab.evaluateOnNewDocument(
          "window.saved = []; HTMLAnchorElement.prototype.click = function () { if (this.download) saved.push(this.download); };",
        );
      },
    });
    await page.type("#key", key);
    await press(page, "Open the account");
    await page.waitForSelector("#invoices");
    for (const part of ["INV-000001", "Prepaid balance", "$11.90"]) expect.soft(await mainText(page)).toContain(part);
    await page.click('[aria-label="E-invoice of INV-000001"]');
    await page.waitForFunction("document.body.textContent.includes('until your particulars are set')");
    await page.click("::-p-text(Your particulars on invoices)");
    await page.type("#buyer-name", HOSTILE);
    await page.type("#buyer-country", "at");
    await press(page, "Keep these");
    await page.waitForFunction("document.body.textContent.includes('Kept for invoices')");
    expect(await violations(page)).toEqual([]);
    for (const text of ["E-invoice", "PDF"]) await page.click(`[aria-label="${text} of INV-000001"]`);
    await page.waitForFunction("saved.length === 2");
    expect(await page.evaluate("saved.sort()")).toEqual(["INV-000001.pdf", "INV-000001.xml"]);
    await press(page, "Erase");
    await page.waitForFunction("document.body.textContent.includes('Invoices that name you keep it')");
    expect(await page.title()).not.toBe("owned");
  });
});
