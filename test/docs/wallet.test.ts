/** Paying from a wallet in the browser, with a real chain behind it and a real facilitator. */
import "../support/typescript-workers.js";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { browserStarts } from "../support/browser.js";
import { type Documentation, openDocumentation, press, type Tab } from "../support/docs-page.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { alice, TREASURY } from "../support/wallets.js";

/** Of alice. */
const WALLET_KEY = `0x${"11".repeat(32)}`;
const run = promisify(execFile);
const starts = await browserStarts();
let docs: Documentation;
let chain: Awaited<ReturnType<typeof startChain>>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (!starts) return;
  chain = await startChain();
  closing.push(chain.stop);
  const facilitator = await startFacilitator({ chain });
  closing.push(facilitator.stop);
  await chain.mint(alice.address, 1_000_000n);
  docs = await openDocumentation({
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
    },
    fetch,
    trial: false,
  });
  closing.push(docs.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** A wallet as browsers have it (EIP-1193): it asks its owner, who says yes unless `refuses` says no. */
async function giveWallet(page: Page, asked: string[], refuses = false): Promise<void> {
  await page.exposeFunction("askWallet", async (method: string, params: string[] = []) => {
    asked.push(method);
    if (method === "eth_requestAccounts") return [alice.address];
    if (method === "wallet_switchEthereumChain") return null;
    if (refuses) throw new Error("User rejected the request.");
    const { types, ...rest } = JSON.parse(params[1] ?? "{}");
    const { EIP712Domain: _, ...own } = types;
    return alice.signTypedData({ types: own, ...rest });
  });
  await page.evaluateOnNewDocument(
    "window.ethereum = { request: ({ method, params }) => window.askWallet(method, params) }",
  );
}

const answered = (page: Tab, selector: string) => page.waitForSelector(`.answer ${selector}`);
const answerText = (page: Tab) => page.$eval(".answer", ({ textContent }) => textContent ?? "");

/** What a visitor copies. */
async function sampleOf(id: string, language: string): Promise<string> {
  const page = await docs.open({ path: `/#${id}` });
  await page.locator(`::-p-aria([name="${language}"][role="tab"])`).click();
  const code = await page.$eval(".sample pre", ({ textContent }) => textContent ?? "");
  await page.close();
  return code;
}

describe.skipIf(!starts)("the code beside the form runs as it is copied", () => {
  test.each(["field.near", "field.order"])("%s in TypeScript pays", async (id) => {
    const { code } = await transform(await sampleOf(id, "TypeScript"), { loader: "ts", format: "esm" });
    const before = await chain.balanceOf(TREASURY);
    const said = await run(process.execPath, ["--input-type=module", "--eval", code], {
      env: { ...process.env, WALLET_KEY },
    });
    expect(said.stderr).toBe("");
    expect(said.stdout).toContain(id === "field.near" ? "North meadow" : "rye");
    expect(await chain.balanceOf(TREASURY)).toBeGreaterThan(before);
  });

  test("a picture in TypeScript is saved as what it is", async () => {
    const { code } = await transform(await sampleOf("barcode.generate", "TypeScript"), { loader: "ts", format: "esm" });
    const folder = await mkdtemp(join(tmpdir(), "sample-"));
    // The packages are this project's; the file goes where the code runs.
    await symlink(pathFromRoot("node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "sample.mjs"), code);
    await run(process.execPath, ["sample.mjs"], { cwd: folder, env: { ...process.env, WALLET_KEY } });
    expect(await readFile(join(folder, "answer.svg"), "utf8")).toMatch(/^<svg/);
    await rm(folder, { recursive: true });
  });

  test.each(["field.near", "field.order"])("%s in curl gets the 402 with its price", async (id) => {
    const said = await run("sh", ["-c", await sampleOf(id, "curl")]);
    expect(said.stdout).toMatch(/^HTTP\/1\.1 402 .*"accepts":\[\{"scheme":"exact"/s);
  });

  // Its packages are not on npm: that the code is Python, and limits what it pays, is all that is checked here.
  test.each(["field.near", "field.order"])("%s in Python compiles", async (id) => {
    const code = await sampleOf(id, "Python");
    expect(code).toContain(`max_amount(${id === "field.near" ? 2000 : 1000})`);
    await run("python3", ["-c", "import ast, sys; ast.parse(sys.argv[1])", code]);
  });
});

describe.skipIf(!starts)("a wallet in the browser", () => {
  test("signs what the 402 asks, and pays once", async () => {
    const asked: string[] = [];
    const page = await docs.open({ path: "/#field.near", before: (tab) => giveWallet(tab, asked) });
    const before = await chain.balanceOf(TREASURY);
    await press(page, "Ask the price");
    await answered(page, ".quote");
    expect(await answerText(page)).toContain("This call costs 0.002 USD");
    expect(asked).toEqual([]);
    await (await page.waitForSelector(".quote button"))?.click();
    await answered(page, ".cost");
    expect(asked).toEqual(["eth_requestAccounts", "wallet_switchEthereumChain", "eth_signTypedData_v4"]);
    expect(await page.$eval(".cost", ({ textContent }) => textContent)).toMatch(/^Paid 0\.002 USD .* transaction 0x/);
    expect((await chain.balanceOf(TREASURY)) - before).toBe(2000n);
    await page.close();
  });

  test("pays once for an answer that was lost: the same payment asks again", async () => {
    const asked: string[] = [];
    const page = await docs.open({ path: "/#field.history", before: (tab) => giveWallet(tab, asked) });
    const before = await chain.balanceOf(TREASURY);
    let lose = true;
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      const payment = request.headers()["payment-signature"];
      if (!payment || !lose) return void request.continue();
      lose = false;
      // It gets there, is paid and answered, and the answer is lost on its way back.
      await fetch(request.url(), { headers: { "payment-signature": payment } });
      await request.abort("connectionreset");
    });
    await press(page, "Ask the price");
    await (await page.waitForSelector(".quote button"))?.click();
    await page.waitForFunction("document.querySelector('.answer').textContent.includes('No answer came')");
    await press(page, "Ask again with the same payment");
    await answered(page, ".cost");
    expect(asked.filter((method) => method === "eth_signTypedData_v4")).toHaveLength(1);
    expect((await chain.balanceOf(TREASURY)) - before).toBe(1000n);
    await page.close();
  });

  test("is not told that nothing was charged while its payment is being settled, and asks again with the same", async () => {
    const asked: string[] = [];
    const page = await docs.open({ path: "/#field.history", before: (tab) => giveWallet(tab, asked) });
    const before = await chain.balanceOf(TREASURY);
    let pending = true;
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      if (!request.headers()["payment-signature"] || !pending) return void request.continue();
      pending = false;
      const detail = "The settlement's outcome is not known yet. Send the same payment again.";
      const body = JSON.stringify({ status: 502, code: "SETTLEMENT_PENDING", detail, requestId: "r1" });
      await request.respond({ status: 502, contentType: "application/problem+json", body });
    });
    await press(page, "Ask the price");
    await (await page.waitForSelector(".quote button"))?.click();
    await answered(page, ".issue");
    const said = await answerText(page);
    expect(said).toContain("Your payment is not settled yet.");
    expect(said).not.toContain("Nothing was charged");
    await press(page, "Ask again with the same payment");
    await answered(page, ".cost");
    expect(asked.filter((method) => method === "eth_signTypedData_v4")).toHaveLength(1);
    expect((await chain.balanceOf(TREASURY)) - before).toBe(1000n);
    await page.close();
  });

  test("is told that its payment was not taken, where the service refuses it, and can sign another", async () => {
    const asked: string[] = [];
    const page = await docs.open({ path: "/#field.history", before: (tab) => giveWallet(tab, asked) });
    let refuse = true;
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      const payment = request.headers()["payment-signature"];
      if (!payment || !refuse) return void request.continue();
      refuse = false;
      const unpaid = await fetch(request.url());
      const quote = { ...((await unpaid.json()) as object), error: "The payment has expired." };
      const header = Buffer.from(JSON.stringify(quote)).toString("base64");
      await request.respond({ status: 402, headers: { "payment-required": header }, body: "{}" });
    });
    await press(page, "Ask the price");
    await (await page.waitForSelector(".quote button"))?.click();
    await answered(page, ".quote .issue");
    const said = await answerText(page);
    expect(said).toContain("The payment has expired.");
    expect(said).toContain("The service did not take this payment, and nothing has run.");
    expect(said).not.toContain("nothing was charged");
    await (await page.waitForSelector(".quote button"))?.click();
    await answered(page, ".cost");
    expect(asked.filter((method) => method === "eth_signTypedData_v4")).toHaveLength(2);
    await page.close();
  });

  test("may say no: nothing is sent, and the offer stands", async () => {
    const asked: string[] = [];
    const page = await docs.open({ path: "/#convert.unit", before: (tab) => giveWallet(tab, asked, true) });
    const before = await chain.balanceOf(TREASURY);
    await press(page, "Ask the price");
    await (await page.waitForSelector(".quote button"))?.click();
    await answered(page, ".issue");
    expect(await answerText(page)).toContain("Not paid: User rejected the request.");
    expect(await page.$(".quote button")).not.toBeNull();
    expect(await chain.balanceOf(TREASURY)).toBe(before);
    await page.close();
  });
});
