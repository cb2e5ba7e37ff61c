/** Who comes to a shop that takes channels: honest buyers in a hurry, forgetful ones, ones that leave, and thieves. */
import type { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import type { PaymentRequirements } from "../../../src/payment/x402/wire.js";
import { quoteOf, toHeader } from "../../support/wallets.js";
import type { Answer, Purchase } from "./checker.js";
import type { Sent } from "./contract.js";
import type { Instance } from "./instance.js";
import { idler, people, rushers, signNothing, stockClient, strangers, victims, voucherInNameOf } from "./wallets.js";
import type { ChannelWorld } from "./world.js";

const PATIENCE = 6;

/** One program of a wallet. */
interface Client {
  scheme: BatchSettlementEvmScheme;
  /** The channel, once it is known. */
  id: string;
  /** The last payment that was made, and for what. */
  last?: { purchase: Purchase; headers: Record<string, string>; payment: { payload: Sent } };
}

function clientOf(world: ChannelWorld): Client {
  return { scheme: stockClient(world.random.pick(people), world.contract), id: "" };
}

const offerIn = (answer: Answer): PaymentRequirements | undefined =>
  quoteOf(answer as unknown as Response).accepts.find(({ scheme }) => scheme === "batch-settlement");

/** A process that has just begun does not know yet what its facilitator takes, and others give no answer. */
async function offerFor(world: ChannelWorld, path: string): Promise<PaymentRequirements | undefined> {
  for (let tries = 0; tries < 4; tries++) {
    const quote = await world.call(path);
    const offer = quote?.status === 402 ? offerIn(quote) : undefined;
    if (offer) return offer;
    await world.timeline.sleep(1000);
  }
  return undefined;
}

/** A short one is guessed. */
function nameOf({ n, named }: Purchase): Record<string, string> {
  if (named === undefined) return {};
  return { "idempotency-key": named === "long" ? `purchase-${n}-8f14e45fceea167a` : `order-${n}` };
}

interface Wish {
  metered?: boolean;
  /** Sent to this process alone. */
  at?: Instance | undefined;
}

/** One purchase as an honest buyer makes it: the same payment again until there is an answer, a new one once corrected. */
async function buy(world: ChannelWorld, client: Client, wish: Wish = {}): Promise<boolean> {
  const { timeline, random, checker } = world;
  const purchase = world.newPurchase(wish.metered);
  const name = nameOf(purchase);
  const offer = await offerFor(world, purchase.path);
  if (!offer) return false;
  const make = async () => {
    const { payload } = await client.scheme.createPaymentPayload(2, offer as never);
    client.id = (payload as unknown as Sent).voucher.channelId;
    const payment = { x402Version: 2, accepted: offer, payload: payload as unknown as Sent };
    const headers = { "payment-signature": toHeader(payment), ...name };
    client.last = { purchase, headers, payment };
    return { payment, headers };
  };
  let { payment, headers } = await make();
  for (let tries = 0, corrected = false; tries < PATIENCE; ) {
    const answer = await world.call(purchase.path, headers, wish.at);
    if (answer) checker.answered(purchase, answer);
    if (answer?.status === 200) {
      const receipt = JSON.parse(Buffer.from(answer.headers.get("payment-response") ?? "", "base64").toString());
      const { onPaymentResponse } = client.scheme.schemeHooks as {
        onPaymentResponse(context: object): Promise<unknown>;
      };
      await onPaymentResponse({ settleResponse: receipt, paymentPayload: payment, requirements: offer });
      return true;
    }
    if (answer?.status === 402) {
      if (corrected) return false;
      corrected = true;
      const recovered = await client.scheme.processCorrectivePaymentRequired(
        quoteOf(answer as unknown as Response) as never,
      );
      if (!recovered) return false;
      ({ payment, headers } = await make());
      continue;
    }
    tries++;
    await timeline.sleep(random.chance(0.8) ? random.int(200, 8000) : random.int(20_000, 90_000));
  }
  return false;
}

async function pause({ random, timeline, settings }: ChannelWorld): Promise<void> {
  const { delaySeconds } = settings;
  await timeline.sleep(random.pick([0, 50, 3000, 400_000, delaySeconds * 150, delaySeconds * 400]));
}

/** One call after the other. */
async function steady(world: ChannelWorld): Promise<void> {
  const client = clientOf(world);
  for (let i = world.random.int(2, 7); i > 0; i--) {
    await buy(world, client);
    await pause(world);
  }
}

/** Several calls at once, by one program. */
async function hurried(world: ChannelWorld): Promise<void> {
  const client = clientOf(world);
  await buy(world, client);
  for (let i = world.random.int(1, 2); i > 0; i--)
    await Promise.all(Array.from({ length: world.random.int(2, 5) }, () => buy(world, client)));
}

/** Many calls at once in a calm world, all to one process: the stock client corrects each of them once, and all are served. */
async function rushed(world: ChannelWorld): Promise<void> {
  const account = rushers[world.rushed++];
  if (!account) return;
  const client = { scheme: stockClient(account, world.contract), id: "" };
  const wish = { metered: false, at: world.instances[0] };
  await buy(world, client, wish);
  for (let round = 0; round < 2; round++) {
    const served = await Promise.all(Array.from({ length: world.random.int(4, 10) }, () => buy(world, client, wish)));
    const missing = served.filter((isServed) => !isServed).length;
    if (missing > 0) world.checker.fail("ATK-21", `${missing} of ${served.length} parallel calls are not served`);
  }
}

/** Two programs of one wallet, of which neither knows of the other. */
async function divided(world: ChannelWorld): Promise<void> {
  const account = world.random.pick(people);
  const programs = [1, 2].map(() => ({ scheme: stockClient(account, world.contract), id: "" }));
  await Promise.all(
    programs.map(async (client) => {
      for (let i = world.random.int(1, 4); i > 0; i--) {
        await buy(world, client);
        if (world.random.chance(0.3)) await pause(world);
      }
    }),
  );
}

/** Asks for the rest back, also while a call is under way, and comes again. */
async function leaving(world: ChannelWorld): Promise<void> {
  const client = clientOf(world);
  await buy(world, client);
  world.leaving.add(client.id);
  for (let i = world.random.int(1, 3); i > 0; i--) {
    const refund = client.scheme
      .refund("http://shop.test/api/test/work?n=0", {
        fetch: async (_: unknown, init?: RequestInit) => {
          const answer = await world.call("/test/work?n=0", Object.fromEntries(new Headers(init?.headers).entries()));
          if (!answer) throw new TypeError("fetch failed");
          return new Response(answer.text, { status: answer.status, headers: answer.headers });
        },
        ...(world.random.chance(0.5) ? { amount: "2000" } : {}),
      } as never)
      .catch(() => undefined);
    await Promise.all(world.random.chance(0.5) ? [refund, buy(world, client)] : [refund]);
    await buy(world, client);
    await pause(world);
  }
}

/** Takes its money out while it goes on calling, as early as the contract lets it. */
async function withdrawing(world: ChannelWorld): Promise<void> {
  const { random, timeline, contract, settings } = world;
  const client = clientOf(world);
  await buy(world, client);
  const takeOut = async () => {
    await timeline.sleep(random.int(0, settings.delaySeconds * 300));
    contract.beginWithdrawal(client.id);
    timeline.note(() => `withdrawal of ${client.id.slice(-4)} begins`);
    await timeline.sleep(settings.delaySeconds * 1000 + 1000);
    timeline.note(() => `withdrawal of ${client.id.slice(-4)} ends: ${contract.endWithdrawal(client.id)}`);
  };
  const goOn = async () => {
    for (let i = random.int(3, 9); i > 0; i--) {
      await buy(world, client);
      await timeline.sleep(random.int(0, settings.delaySeconds * 300));
    }
  };
  await Promise.all([takeOut(), goOn()]);
}

/** Sends an old payment for something else: it gets neither that nor anybody else's. */
async function mistaken(world: ChannelWorld): Promise<void> {
  const client = clientOf(world);
  for (let i = world.random.int(1, 4); i > 0; i--) {
    await buy(world, client);
    const { last } = client;
    if (!last) return;
    const other = world.newPurchase(last.purchase.path.startsWith("/test/metered"));
    const { "payment-signature": payment = "" } = last.headers;
    const answer = await world.call(other.path, { "payment-signature": payment });
    if (answer) world.checker.answered(other, answer);
  }
}

/** Reads vouchers off the chain, and sends them for the same and for other requests. */
async function thief(world: ChannelWorld): Promise<void> {
  const { random, timeline, contract, checker, settings } = world;
  for (let i = random.int(3, 8); i > 0; i--) {
    await timeline.sleep(random.int(1000, settings.delaySeconds * 300));
    const stolen = contract.published.at(-random.int(1, 3));
    const seen = world.payments.find(({ payload }) => payload.voucher.channelId === stolen?.id);
    if (!stolen || !seen) continue;
    const known = checker.boughtOn(stolen.id);
    const guessed = known.filter(({ named }) => named === "short");
    const bought = guessed.length > 0 && random.chance(0.5) ? guessed : known;
    const victim = random.pick(bought.length > 0 ? bought : [...checker.purchases.values()]);
    const path = random.chance(0.5) ? victim.path : `/test/${random.pick(["work", "metered"])}?n=${victim.n}&used=77`;
    const offer = await offerFor(world, path);
    if (!offer) continue;
    const { channelConfig, voucher } = seen.payload;
    const signed = {
      channelId: voucher.channelId,
      maxClaimableAmount: `${stolen.ceiling}`,
      signature: stolen.signature,
    };
    const type = random.pick(["voucher", "voucher", "refund"]);
    const payload = { type, channelConfig, voucher: signed };
    const answer = await world.call(path, {
      "payment-signature": toHeader({ x402Version: 2, accepted: offer, payload }),
      ...(victim.named === "short" ? nameOf(victim) : {}),
    });
    if (answer && (type === "voucher" || !world.leaving.has(stolen.id)))
      checker.answeredStranger(type === "refund" ? "ATK-5" : "CH-55", answer);
  }
}

/** Deposits in a victim's name, out of its own pocket, and calls: nothing of it may be the victim's. */
async function impostor(world: ChannelWorld): Promise<void> {
  const { random, timeline, contract, checker } = world;
  const [victim, signer] = [random.pick(victims), random.pick(strangers)];
  let charged = 0n;
  for (let i = random.int(2, 4); i > 0; i--) {
    const purchase = world.newPurchase(false);
    const offer = await offerFor(world, purchase.path);
    if (!offer) continue;
    const ceiling = charged + BigInt(offer.amount);
    const payload = await voucherInNameOf(victim.address, { signer, contract, offer, ceiling });
    if (charged === 0n) contract.depositAs(payload, 50_000n);
    for (let tries = 0; tries < PATIENCE; tries++) {
      const payment = { x402Version: 2, accepted: offer, payload };
      const answer = await world.call(purchase.path, {
        "payment-signature": toHeader(payment as never),
        ...nameOf(purchase),
      });
      if (answer) checker.answered(purchase, answer);
      if (answer?.status === 402) return;
      if (answer?.status === 200) {
        charged += purchase.charge;
        break;
      }
      await timeline.sleep(random.int(200, 90_000));
    }
  }
}

/** Signs what it owes in ways that no contract takes. */
async function miswriting(world: ChannelWorld): Promise<void> {
  const { random, timeline, checker } = world;
  const client = clientOf(world);
  await buy(world, client);
  for (let i = random.int(2, 5); i > 0; i--) {
    await timeline.sleep(random.int(0, 60_000));
    const purchase = world.newPurchase(false);
    const offer = await offerFor(world, purchase.path);
    if (!offer) continue;
    const made = (await client.scheme.createPaymentPayload(2, offer as never)).payload as unknown as Sent;
    const { signature } = made.voucher;
    const v = Number.parseInt(signature.slice(-2), 16) + random.pick([-27, -27, 2, 4, 8]);
    const voucher = { ...made.voucher, signature: signature.slice(0, -2) + v.toString(16).padStart(2, "0") };
    const payment = { x402Version: 2, accepted: offer, payload: { ...made, voucher } };
    const answer = await world.call(purchase.path, { "payment-signature": toHeader(payment as never) });
    if (answer?.status === 200) checker.fail("ATK-2", `a signature with v of ${v} is sold for`);
  }
  await buy(world, client);
}

/** Has the host deposit for calls that are charged nothing, by a new salt each time, and asks for it back. */
async function idle(world: ChannelWorld): Promise<void> {
  const { random, timeline, contract, checker } = world;
  const ids: string[] = [];
  for (let i = 1; i <= 9; i++) {
    const scheme = stockClient(idler, contract, `0x${random.int(1, 1e9).toString(16).padStart(64, "0")}`);
    const { path } = world.newPurchase(true, 0n);
    const offer = await offerFor(world, path);
    if (!offer) continue;
    const { channelConfig, ...made } = (await scheme.createPaymentPayload(2, offer as never))
      .payload as unknown as Sent;
    const { channelId } = made.voucher;
    ids.push(channelId);
    const send = (payload: object) =>
      world.call(path, { "payment-signature": toHeader({ x402Version: 2, accepted: offer, payload } as never) });
    await send({ ...made, channelConfig });
    const network = offer.network as `${string}:${string}`;
    const voucher = await signNothing(idler, { contract, id: channelId, network });
    await send({ type: "refund", channelConfig, voucher });
  }
  await timeline.sleep(200_000);
  const deposited = ids.filter((id) => contract.at(id).balance > 0n || contract.at(id).nonce > 0n).length;
  if (deposited > 5) checker.fail("ATK-9", `${deposited} deposits within the hour bought nothing`);
  if (ids.some((id) => contract.at(id).nonce > 0n)) checker.fail("ATK-9", "a channel without a charge is refunded");
}

/** Knows a channel and has no key to it. */
async function forger(world: ChannelWorld): Promise<void> {
  const { random, timeline, checker } = world;
  for (let i = 3; i > 0; i--) {
    await timeline.sleep(random.int(1000, 60_000));
    const [seen] = world.payments;
    if (!seen) continue;
    const { channelConfig, voucher } = seen.payload;
    const level = random.pick([1n, 1000n, 2000n, 11_000n]);
    const made = { ...voucher, maxClaimableAmount: `${level}`, signature: `0x${"1".repeat(128)}1b` };
    const payload = { type: random.pick(["voucher", "refund"]), channelConfig, voucher: made };
    const headers = { "payment-signature": toHeader({ ...seen, payload } as never) };
    const answer = await world.call("/test/work?n=0", headers);
    if (answer) checker.answeredStranger("CH-54", answer);
  }
}

export const calmBuyers = [rushed, rushed, steady];
export const buyers = [
  steady,
  steady,
  hurried,
  divided,
  leaving,
  withdrawing,
  withdrawing,
  mistaken,
  thief,
  forger,
  impostor,
  miswriting,
  idle,
];
