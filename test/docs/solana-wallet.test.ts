/** Paying from a Solana wallet in the browser, with a real runtime of Solana behind it and the official facilitator. */
import "../support/typescript-workers.js";
import { Keypair, VersionedTransaction } from "@solana/web3.js";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserStarts } from "../support/browser.js";
import { type Documentation, openDocumentation, press, type Tab, violations } from "../support/docs-page.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { addressOf, buyer, feePayer, SOLANA, treasury } from "../support/solana.js";
import { type SolanaChain, startSolanaChain } from "../support/solana-chain.js";
import { startSolanaFacilitator } from "../support/solana-lab.js";
import { TREASURY } from "../support/wallets.js";

const starts = await browserStarts();
const PAY = "Pay 0.002 USDC on Solana from Test Wallet";
let chain: SolanaChain;
let docs: Documentation;
/** The node answers the shop. */
let nodeIsUp = true;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (!starts) return;
  chain = await startSolanaChain();
  closing.push(chain.stop);
  const facilitator = await startSolanaFacilitator(chain);
  closing.push(facilitator.stop);
  chain.mint(addressOf(treasury), 0n);
  docs = await openDocumentation({
    payment: {
      treasury: { [SOLANA]: addressOf(treasury) },
      facilitator: { url: facilitator.url },
      rpc: { [SOLANA]: chain.rpcUrl },
    },
    fetch: (input, init) =>
      !nodeIsUp && String(input).startsWith(chain.rpcUrl) ? Promise.reject(new TypeError("down")) : fetch(input, init),
    trial: false,
  });
  closing.push(docs.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
beforeEach(() => {
  nodeIsUp = true;
  chain?.mint(addressOf(buyer), 1_000_000n);
});

interface WalletOptions {
  /** What was asked of it. */
  asked?: string[];
  key?: Keypair;
  chains?: string[];
  accountChains?: string[];
  versions?: unknown[];
  /** What it says instead of signing. */
  refusal?: object;
  /** Introduces itself when `window.arrive()` is called, long after the page has asked for wallets. */
  isLate?: boolean;
  /** How long its owner ponders. */
  pondersMs?: number;
}

/** A wallet as extensions bring it by the Wallet Standard. Its key stays outside of the page. */
async function giveWallet(page: Page, options: WalletOptions = {}): Promise<void> {
  const { asked = [], key = buyer, chains = ["solana:mainnet"], versions = ["legacy", 0] } = options;
  await page.exposeFunction("askWallet", (what: string, bytes: number[] = [], chainId = "") => {
    asked.push(`${what} ${chainId}`.trim());
    if (what === "connect" || options.refusal) return options.refusal ?? null;
    const transaction = VersionedTransaction.deserialize(Uint8Array.from(bytes));
    transaction.sign([key]);
    return [...transaction.serialize()];
  });
  const facts = JSON.stringify({
    ...{ chains, versions, isLate: options.isLate, pondersMs: options.pondersMs },
    account: {
      address: addressOf(key),
      publicKey: [...key.publicKey.toBytes()],
      chains: options.accountChains ?? chains,
    },
  });
  await page.evaluateOnNewDocument(`{
    const { chains, versions, isLate, pondersMs, account } = ${facts};
    account.publicKey = Uint8Array.from(account.publicKey);
    const now = performance.now.bind(performance);
    const wallet = {
      version: "1.0.0", name: "Test Wallet", icon: "data:image/svg+xml,", chains, accounts: [],
      features: {
        "standard:connect": { version: "1.0.0", connect: async () => {
          await askWallet("connect");
          return { accounts: [account] };
        } },
        "solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: versions,
          signTransaction: async ({ transaction, chain }) => {
            const signed = await askWallet("sign", [...transaction], chain);
            if (!Array.isArray(signed)) throw signed;
            if (pondersMs) performance.now = () => now() + pondersMs;
            return [{ signedTransaction: Uint8Array.from(signed) }];
          } },
      },
    };
    const introduce = ({ register }) => register(wallet);
    const greet = () => {
      window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: introduce }));
      window.addEventListener("wallet-standard:app-ready", ({ detail }) => introduce(detail));
    };
    if (isLate) window.arrive = greet;
    else greet();
  }`);
}

const open = async (options: WalletOptions, path = "/#field.near") => {
  const page = await docs.open({ path, before: (tab) => giveWallet(tab, options) });
  if (path.startsWith("/#")) await press(page, "Ask the price");
  await page.waitForSelector(".answer .quote");
  return page;
};
const answerText = (page: Tab) => page.$eval(".answer", ({ textContent }) => textContent ?? "");
const buttonsOf = (page: Tab) =>
  page.$$eval(".quote button", (all) => all.map(({ textContent }) => textContent)) as Promise<string[]>;
const waitFor = (page: Tab, words: string) =>
  page.waitForFunction(`document.querySelector('.answer').textContent.includes(${JSON.stringify(words)})`);
const earned = () => chain.balanceOf(addressOf(treasury));
/** A browser tells each 402 as an error of its own. */
const complaintsOf = (page: Tab) => page.complaints.filter((text) => !/status of \d/.test(text));

describe.skipIf(!starts)("a Solana wallet in the browser", () => {
  test("signs what the 402 asks, and pays once, under the same policy as before", async () => {
    const asked: string[] = [];
    const page = await open({ asked });
    const before = earned();
    expect(await buttonsOf(page)).toEqual([PAY]);
    expect(await answerText(page)).not.toContain("To pay from here");
    expect(await violations(page)).toEqual([]);
    expect(asked).toEqual([]);
    await press(page, PAY);
    await page.waitForSelector(".answer .cost");
    expect(asked).toEqual(["connect", "sign solana:mainnet"]);
    const { signature } = chain.landed[0] ?? {};
    expect(await page.$eval(".cost", ({ textContent }) => textContent)).toContain(`transaction ${signature}`);
    expect([earned() - before, chain.balanceOf(addressOf(buyer))]).toEqual([2000n, 998_000n]);
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });

  test("pays from the page of a 402 as well", async () => {
    const page = await open({}, "/api/field/near?lat=48.1&lon=11.6");
    const before = earned();
    await press(page, PAY);
    await page.waitForSelector(".answer .cost");
    expect(await answerText(page)).toContain("North meadow");
    expect(earned() - before).toBe(2000n);
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });

  test("pays once for an answer that was lost: the same payment asks again", async () => {
    const asked: string[] = [];
    const page = await open({ asked });
    const before = earned();
    let lose = true;
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      const payment = request.headers()["payment-signature"];
      if (!payment || !lose) return void request.continue();
      lose = false;
      await fetch(request.url(), { headers: { "payment-signature": payment } });
      await request.abort("connectionreset");
    });
    await press(page, PAY);
    await waitFor(page, "No answer came");
    await press(page, "Ask again with the same payment");
    await page.waitForSelector(".answer .cost");
    expect(asked.filter((what) => what.startsWith("sign"))).toHaveLength(1);
    expect(earned() - before).toBe(2000n);
    await page.close();
  });

  test("that comes after the price gets its button then", async () => {
    const page = await open({ isLate: true });
    expect(await buttonsOf(page)).toEqual([]);
    expect(await answerText(page)).toContain(
      "open this page in a browser with a Solana wallet. The code pays by itself.",
    );
    await page.evaluate("window.arrive()");
    await page.waitForSelector(".quote button");
    expect(await buttonsOf(page)).toEqual([PAY]);
    await page.close();
  });

  test("pays although another extension introduces itself badly", async () => {
    const page = await docs.open({
      path: "/#field.near",
      async before(tab) {
        await tab.evaluateOnNewDocument(`window.addEventListener("wallet-standard:app-ready", ({ detail }) =>
          detail.register(null, undefined, {}, { name: 1 }, { name: "Bare" }, { name: "Half", chains: ["solana:mainnet"] }))`);
        await giveWallet(tab, {});
      },
    });
    await press(page, "Ask the price");
    await page.waitForSelector(".quote button");
    expect(await buttonsOf(page)).toEqual([PAY]);
    await press(page, PAY);
    await page.waitForSelector(".answer .cost");
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });

  test("is not offered on a page without https, which says so", async () => {
    const page = await docs.open({
      path: "/#field.near",
      async before(tab) {
        await tab.evaluateOnNewDocument("Object.defineProperty(window, 'isSecureContext', { value: false })");
        await giveWallet(tab, {});
      },
    });
    await press(page, "Ask the price");
    await page.waitForSelector(".answer .quote");
    expect(await buttonsOf(page)).toEqual([]);
    expect(await answerText(page)).toContain("A Solana wallet pays only from a page that is opened over https.");
    await page.close();
  });

  test.each([
    ["knows other networks alone", { chains: ["solana:devnet"] }],
    ["is of another kind of chain", { chains: ["sui:mainnet"] }],
    ["signs no transactions of version 0", { versions: ["legacy"] }],
  ] satisfies [string, WalletOptions][])("that %s has no dead button", async (_, options) => {
    const page = await open(options);
    expect(await buttonsOf(page)).toEqual([]);
    expect(await answerText(page)).toContain("open this page in a browser with a Solana wallet");
    await page.close();
  });

  test.each([
    [
      "was refused by its owner",
      { refusal: { code: 4001, message: "User rejected the request." } },
      "User rejected the request.",
    ],
    ["was refused without a word", { refusal: {} }, "The wallet gave no reason."],
    [
      "is on another network",
      { accountChains: ["solana:devnet"] },
      "Test Wallet is on another network. Switch it to Solana and pay again.",
    ],
    ["belongs to the service", { key: treasury }, "This account belongs to the service itself."],
    ["was signed too late", { pondersMs: 61_000 }, "which is too late on Solana. Nothing was sent"],
  ] satisfies [string, WalletOptions, string][])("that %s says so, and the offer stands", async (_, options, words) => {
    const page = await open(options);
    const before = earned();
    const landed = chain.landed.length;
    await press(page, PAY);
    await waitFor(page, words);
    expect(await answerText(page)).toContain("Not paid: ");
    expect(await buttonsOf(page)).toEqual([PAY]);
    expect([earned(), chain.landed.length]).toEqual([before, landed]);
    await page.close();
  });

  test.each([
    ["has no token account", undefined, "This wallet has 0 USDC on Solana; 0.002 needed."],
    ["has too little", 500n, "This wallet has 0.0005 USDC on Solana; 0.002 needed."],
  ])("that %s is told so in words, and nothing was taken", async (_, amount, words) => {
    const key = Keypair.generate();
    if (amount !== undefined) chain.mint(addressOf(key), amount);
    const page = await open({ key });
    await press(page, PAY);
    await waitFor(page, words);
    expect(await answerText(page)).toContain("The service did not take this payment, and nothing has run.");
    expect(await buttonsOf(page)).toEqual([PAY]);
    await page.close();
  });

  test("is told that the service's node is down before it is asked to sign", async () => {
    const asked: string[] = [];
    const page = await open({ asked });
    await page.waitForFunction("new Promise((resolve) => setTimeout(resolve, 2100, true))");
    nodeIsUp = false;
    await press(page, PAY);
    await waitFor(page, "Not paid: The service's Solana node tells no recent block.");
    expect(asked).toEqual(["connect"]);
    await page.close();
  });
});

describe.skipIf(!starts)("a shop without a Solana node", () => {
  const shop = (treasuries: Record<string, string>) =>
    openDocumentation({
      payment: {
        treasury: treasuries,
        facilitator: { url: FACILITATOR_URL },
        feePayers: { [SOLANA]: addressOf(feePayer) },
        rpc: false,
      },
      fetch: fakeFacilitator().fetch,
      trial: false,
    });

  test("says why no wallet can pay from its page, and has no dead button", async () => {
    const without = await shop({ [SOLANA]: addressOf(treasury) });
    const page = await without.open({ path: "/#field.near", before: (tab) => giveWallet(tab) });
    await press(page, "Ask the price");
    await page.waitForSelector(".answer .quote");
    expect(await buttonsOf(page)).toEqual([]);
    const text = await answerText(page);
    expect(text).toContain(
      "this service has no Solana node that tells one: no wallet can pay on Solana from this page.",
    );
    expect(text).toContain("The code pays by itself.");
    await page.close();
    await without.close();
  });

  test("that is paid on Base as well has the button of Base, and the reason for a Solana wallet", async () => {
    const both = await shop({ [SOLANA]: addressOf(treasury), [NETWORK]: TREASURY });
    for (const hasSolana of [false, true]) {
      const page = await both.open({
        path: "/#field.near",
        before: async (tab) => {
          if (hasSolana) await giveWallet(tab);
          await tab.evaluateOnNewDocument("window.ethereum = { request: async () => [] }");
        },
      });
      await press(page, "Ask the price");
      await page.waitForSelector(".answer .quote");
      expect(await buttonsOf(page)).toEqual(["Pay 0.002 USDC from this browser's wallet"]);
      expect((await answerText(page)).includes("no Solana node")).toBe(hasSolana);
      await page.close();
    }
    await both.close();
  });
});
