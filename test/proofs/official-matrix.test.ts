/** The official x402 end-to-end matrix with us as its server, by the official clients and facilitator classes. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startChannelChain } from "../support/channel-chain.js";
import {
  amountOf,
  decoded,
  type Labs,
  openStall,
  payByHttp,
  payByMcp,
  ROUTES,
  type Route,
  type Stall,
  settledOf,
  URL_OF_WORK,
} from "../support/matrix.js";
import { startPermit2Chain } from "../support/permit2-chain.js";
import { SOLANA } from "../support/solana.js";
import { startSolanaChain } from "../support/solana-chain.js";
import { startSolanaFacilitator } from "../support/solana-lab.js";

/** Routes that are not served, and why. */
const NOT_SERVED: Readonly<Record<string, string>> = {
  "/auth-capture/evm/eip3009": "not built; npm has its client, and no facilitator",
  "/auth-capture/evm/permit2": "not built; npm has its client, and no facilitator",
  "/upto/svm": "not built; its program on the chain is not to be had offline",
};
const WAYS = { HTTP: payByHttp, MCP: payByMcp };

let labs: Labs;
beforeAll(async () => {
  const [permit2, channels, chain] = await Promise.all([startPermit2Chain(), startChannelChain(), startSolanaChain()]);
  labs = { permit2, channels, solana: { chain, facilitator: await startSolanaFacilitator(chain) } };
});
afterAll(async () => {
  await labs.solana.facilitator.stop();
  await Promise.all([labs.permit2.stop(), labs.channels.stop(), labs.solana.chain.stop()]);
});

async function open(route: Route): Promise<Stall> {
  const stall = await openStall(route, labs);
  onTestFinished(() => stall.handle.close());
  // The facilitator is asked what it supports.
  const offered = async () => {
    const header = (await stall.handle(new Request(URL_OF_WORK))).headers.get("payment-required") ?? "";
    return header && Object.keys(decoded(header).extensions ?? {});
  };
  await expect.poll(offered).toEqual(expect.arrayContaining(route.extensions));
  return stall;
}

interface Offer {
  scheme: string;
  network: string;
  amount: string;
  extra: Record<string, unknown>;
}
const offerOf = (route: Route, accepts: readonly unknown[]) =>
  (accepts as Offer[]).find(
    ({ scheme, network }) => scheme === route.scheme && (network === SOLANA) === route.path.includes("/svm"),
  );

describe("the official matrix", () => {
  it("is read whole", () => {
    expect(ROUTES).toHaveLength(18);
    expect(Object.keys(NOT_SERVED).filter((path) => !ROUTES.some((route) => route.path === path))).toEqual([]);
  });

  const served = ROUTES.filter(({ path }) => !(path in NOT_SERVED));
  it.each(
    served.flatMap((route) => Object.keys(WAYS).map((way) => [route.path, way as keyof typeof WAYS, route] as const)),
  )("%s is served over %s", async (_, way, route) => {
    const stall = await open(route);
    const { quote, item, receipt } = await WAYS[way](stall);
    const offer = offerOf(route, quote.accepts) as { amount: string; extra: Record<string, unknown> };
    expect(offer.amount).toBe(String(amountOf(route)));
    expect(offer?.extra.paymentFlow).toBe(route.paymentFlow);
    if (route.scheme !== "upto" && route.assetTransferMethod === "permit2")
      expect(offer?.extra.assetTransferMethod).toBe("permit2");
    for (const name of route.extensions) expect(quote.extensions).toHaveProperty([name]);
    expect(item).toEqual({ n: 1 });
    expect(receipt).toMatchObject({ success: true, transaction: expect.stringMatching(/^\w{64,}$/) });
    const settled = settledOf(route);
    const { left, arrived } = await stall.moved();
    if (route.scheme === "batch-settlement") expect([left > settled, arrived]).toEqual([true, 0n]);
    else expect([left, arrived]).toEqual([settled, settled]);
    expect((await stall.handle.ledger()).total.calls).toBe(1);
  });

  it("is told in the documents, cell by cell", () => {
    const rows = ROUTES.map(({ path }) => {
      const cell = NOT_SERVED[path] ?? "served";
      return `| \`${path}\` | ${cell} | ${cell} |`;
    });
    expect(readFileSync("docs/conformance.md", "utf8")).toContain(rows.join("\n"));
  });
});
