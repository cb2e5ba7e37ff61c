/** Who comes to the shop. Honest ones repeat the same payment until they know; the others try everything else. */
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { quoteOf, toHeader } from "../support/wallets.js";
import type { Sale } from "./checker.js";
import { type Endpoint, PRICES } from "./goods.js";
import { SOLANA } from "./solana.js";
import { contractWallet, people, type Signed, solanaWallet, type Wallet } from "./wallets.js";
import type { Answer, World } from "./world.js";

const ENDPOINTS = Object.keys(PRICES) as Endpoint[];
/** How long somebody keeps asking after the payment has expired. */
const PATIENCE_MS = 60_000;

const pathOf = (endpoint: Endpoint, n: number) => `/${endpoint.replace(".", "/")}?n=${n}`;

function anyWallet(world: World): Wallet {
  return world.random.chance(0.3) ? world.random.pick(people) : fresh(world, 1_000_000_000n);
}

/** Somebody who pays on whatever network there is. */
function anybody(world: World): Wallet {
  return world.settings.solana && world.random.chance(0.4)
    ? fresh(world, 1_000_000_000n, solanaWallet)
    : anyWallet(world);
}

function fresh(world: World, funds: bigint, make = contractWallet): Wallet {
  const wallet = make(world.nextPurchase());
  world.chain.fund(wallet.address, funds);
  return wallet;
}

/** The offer for a request, asked for until it comes; undefined when the request needs no payment. */
async function quote(
  world: World,
  path: string,
  { headers, scheme, isOnSolana }: { headers: Record<string, string>; scheme: string; isOnSolana: boolean },
): Promise<PaymentRequirements | Answer> {
  for (;;) {
    const answer = await world.call(path, headers);
    const all = answer?.status === 402 ? quoteOf(answer as unknown as Response).accepts : [];
    const offers = all.filter(({ network }) => (network === SOLANA) === isOnSolana);
    const terms = offers.find((offer) => offer.scheme === scheme) ?? offers[0];
    if (terms) return terms;
    if (answer?.status === 200) return answer;
    await world.timeline.sleep(1000);
  }
}

interface Wish {
  endpoint: Endpoint;
  wallet: Wallet;
  /** Further headers, such as an idempotency key or a credit token. */
  headers?: Record<string, string>;
  n?: number;
  lifeSeconds?: number;
  /** Not through Permit2, where only the facilitator can settle. */
  exact?: true;
}

/** Quotes and signs. Undefined where credit paid for everything. */
async function prepare(
  world: World,
  wish: Wish,
): Promise<{ sale: Sale; terms: PaymentRequirements; signed: Signed } | undefined> {
  const { endpoint, wallet, headers = {}, n = world.nextPurchase() } = wish;
  const path = pathOf(endpoint, n);
  const isOnSolana = wallet.keypair !== undefined;
  const takesUpto = !wallet.account && !isOnSolana && !wish.exact;
  const scheme = takesUpto && world.random.chance(0.5) ? "upto" : "exact";
  const terms = await quote(world, path, { headers, scheme, isOnSolana });
  if ("status" in terms) return undefined;
  const signed = await world.sign(terms, wallet, { lifeSeconds: wish.lifeSeconds });
  return { terms, signed, sale: saleOf(world, { path, endpoint, n, headers, signed }) };
}

interface Order {
  path: string;
  endpoint: Endpoint;
  n: number;
  headers: Record<string, string>;
  signed: Signed;
}

function saleOf({ checker }: World, { path, endpoint, n, headers, signed }: Order): Sale {
  const sale: Sale = {
    path,
    endpoint,
    n,
    key: signed.key,
    order: headers["idempotency-key"],
    headers: { ...headers, "payment-signature": toHeader(signed.payment) },
    validBefore: Number(signed.authorization.validBefore) * 1000,
  };
  checker.sales.push(sale);
  return sale;
}

/** Sends the same payment until there is an answer that settles the matter, or until it has long expired. */
async function insist(world: World, sale: Sale): Promise<Answer | undefined> {
  const { random, timeline } = world;
  for (;;) {
    const answer = await world.call(sale.path, sale.headers, { sale, impatient: random.chance(0.1) });
    if (answer && answer.status < 500 && answer.status !== 404) return answer;
    if (timeline.now > sale.validBefore + PATIENCE_MS) return undefined;
    const wait = Number(answer?.headers.get("retry-after") ?? 0);
    await timeline.sleep(wait > 0 ? wait * 1000 : random.int(200, 5000));
  }
}

async function honest(world: World): Promise<void> {
  const { random, timeline } = world;
  const endpoint = random.pick(ENDPOINTS);
  const long = random.chance(0.3) ? { lifeSeconds: 600 } : {};
  const bought = await prepare(world, { endpoint, wallet: anybody(world), ...long });
  if (!bought) return;
  await insist(world, bought.sale);
  if (!random.chance(0.3)) return;
  await timeline.sleep(random.int(0, 60_000));
  await insist(world, bought.sale);
}

/** Several programs of one payer work on one list. */
async function concurrent(world: World): Promise<void> {
  const { random } = world;
  const bought = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet: anybody(world) });
  if (bought) await Promise.all(Array.from({ length: random.int(2, 4) }, () => insist(world, bought.sale)));
}

/** Signs anew, under the same idempotency key, when the answer takes too long. */
async function impatient(world: World): Promise<void> {
  const { random, timeline } = world;
  const headers = { "idempotency-key": `order ${world.nextPurchase()}` };
  const wish = { endpoint: random.pick(ENDPOINTS), wallet: random.pick(people), headers, n: world.nextPurchase() };
  const tries: Promise<unknown>[] = [];
  for (let i = random.int(2, 3); i > 0; i--) {
    const bought = await prepare(world, wish);
    if (!bought) return;
    tries.push(insist(world, bought.sale));
    await timeline.sleep(random.int(0, 4000));
  }
  await Promise.all(tries);
}

/** One payment for several requests at once. */
async function reuse(world: World): Promise<void> {
  const { random } = world;
  const wallet = anybody(world);
  const bought = await prepare(world, { endpoint: "test.work", wallet });
  if (!bought) return;
  const { sale, signed } = bought;
  const others = (["test.work", "test.other"] as const).map((endpoint) => {
    const n = world.nextPurchase();
    return saleOf(world, { path: pathOf(endpoint, n), endpoint, n, headers: {}, signed });
  });
  const all = [sale, ...others, sale];
  await Promise.all(Array.from({ length: random.int(2, 5) }, () => insist(world, random.pick(all))));
}

/** Takes the authorization back, or the money away, while the work goes on. */
async function cheat(world: World): Promise<void> {
  const { random, timeline, chain } = world;
  const wallet = fresh(world, 1_000_000n);
  const bought = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet });
  if (!bought) return;
  const { authorization } = bought.signed;
  const asking = insist(world, bought.sale);
  await timeline.sleep(random.int(0, random.pick([200, 3000, 30_000])));
  // Without a node of its own to ask, a service cannot tell a cancelled authorization from a used one.
  if (world.settings.rpc && random.chance(0.5)) chain.cancel(authorization);
  else chain.fund(wallet.address, 0n);
  await asking;
}

/** While several payments run, lets one of them be paid and uses the others' nonces up for nothing, in one transaction. */
async function bundler(world: World): Promise<void> {
  const { random, timeline, chain } = world;
  const wallet = fresh(world, 1_000_000n);
  const bought = [];
  for (let i = random.int(2, 4); i > 0; i--)
    bought.push(await prepare(world, { endpoint: random.pick(["test.work", "test.other"]), wallet }));
  const all = bought.filter((each) => each !== undefined);
  const asking = all.map(({ sale }) => insist(world, sale));
  await timeline.sleep(random.int(0, random.pick([200, 3000])));
  const [real, ...others] = all.map(({ signed }) => signed.authorization);
  // As with cancellations: without a node a service cannot tell one use of a nonce from another.
  if (real && world.settings.rpc) chain.bundle(real, others);
  await Promise.all(asking);
}

/** Pays for some of its calls by itself, without the service, before it, beside it or after it. */
async function selfMade(world: World): Promise<void> {
  const { random, timeline, chain } = world;
  const bought = await prepare(world, {
    endpoint: random.pick(ENDPOINTS),
    wallet: fresh(world, 1_000_000n),
    exact: true,
  });
  if (!bought || !world.settings.rpc) return;
  const { authorization } = bought.signed;
  const asking = timeline.sleep(random.int(0, 3000)).then(() => insist(world, bought.sale));
  await timeline.sleep(random.int(0, random.pick([200, 3000, 30_000])));
  chain.bundle(authorization, []);
  await asking;
}

/** Has a free trial and a payment for when that is used up, as agents do; other times only the payment. */
async function cautious(world: World): Promise<void> {
  const { random, timeline } = world;
  const address = `198.51.100.${random.int(1, 2)}`;
  const bought = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet: anybody(world) });
  if (!bought) return;
  const { sale } = bought;
  sale.tried = true;
  const both = { ...sale.headers, "x-svc-trial": "1" };
  const first = await Promise.all(
    Array.from({ length: random.int(1, 3) }, () => world.call(sale.path, both, { sale, address })),
  );
  if (first.some((answer) => answer?.status === 200) && random.chance(0.5)) return;
  await timeline.sleep(random.int(0, 2000));
  await insist(world, sale);
}

/** Money for one call, signed away several times. */
async function overdraw(world: World): Promise<void> {
  const { random } = world;
  const wallet = fresh(world, 12_000n, world.settings.solana && random.chance(0.4) ? solanaWallet : contractWallet);
  const buy = async () => {
    const bought = await prepare(world, { endpoint: "test.work", wallet });
    if (bought) await insist(world, bought.sale);
  };
  await Promise.all(Array.from({ length: random.int(2, 3) }, buy));
}

/** Sees the payer and nonce of somebody's payment and sends them under a signature of its own. */
async function stranger(world: World): Promise<void> {
  const { random } = world;
  const bought = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet: anyWallet(world) });
  if (!bought) return;
  const { sale, signed } = bought;
  const forged = { ...signed.payment, payload: { ...signed.payment.payload, signature: `0x${"cd".repeat(100)}` } };
  const theft: Sale = { ...sale, foreign: true, headers: { "payment-signature": toHeader(forged) } };
  const steal = async () => {
    for (let i = 0; i < 4; i++) {
      await world.call(theft.path, theft.headers, { sale: theft });
      await world.timeline.sleep(random.int(0, 2000));
    }
  };
  await Promise.all([steal(), insist(world, sale)]);
}

/** Two authorizations with one nonce: the chain will take one of them. */
async function twins(world: World): Promise<void> {
  const wallet = anyWallet(world);
  const bought = await prepare(world, { endpoint: "test.work", wallet });
  if (!bought) return;
  const { sale, terms, signed } = bought;
  const { nonce } = signed.authorization;
  const twin = await world.sign(terms, wallet, { lifeSeconds: 300, nonce });
  const { path, endpoint, n } = sale;
  // Of a contract wallet's two signatures only the first one that came gets the result.
  const second = wallet.account ? saleOf(world, { path, endpoint, n, headers: {}, signed: twin }) : sale;
  await Promise.all([insist(world, sale), insist(world, second)]);
}

/** Two programs of one wallet, whose inputs make all work fail: charged nothing, and paid anew in every way there is. */
async function hopeless(world: World): Promise<void> {
  const { random } = world;
  const isOnSolana = world.settings.solana && random.chance(0.3);
  const wallet = fresh(world, 1_000_000_000n, isOnSolana ? solanaWallet : contractWallet);
  const program = async () => {
    for (let tries = 13; tries > 0; tries--) {
      const n = world.nextPurchase();
      world.doomed.set(n, wallet.address);
      const bought = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet, n });
      if (bought) await world.call(bought.sale.path, bought.sale.headers, { sale: bought.sale });
    }
  };
  await Promise.all([program(), program()]);
}

/** Money for one call, signed away for many more at once than there is room for, with long answers. */
async function hoarder(world: World): Promise<void> {
  const wallet = fresh(world, 15_000n);
  const buy = async () => {
    const n = world.nextPurchase();
    world.heavy.add(n);
    const bought = await prepare(world, { endpoint: "test.work", wallet, n, exact: true });
    if (bought) await world.call(bought.sale.path, bought.sale.headers, { sale: bought.sale });
  };
  await Promise.all(Array.from({ length: 30 }, buy));
}

/** Free trials, more than there are. */
async function tester(world: World): Promise<void> {
  const { random, timeline } = world;
  const address = `198.51.100.${random.int(1, 2)}`;
  const endpoint = random.pick(ENDPOINTS);
  const tryIt = () => world.call(pathOf(endpoint, world.nextPurchase()), { "x-svc-trial": "1" }, { address });
  for (let round = random.int(1, 3); round > 0; round--) {
    await Promise.all(Array.from({ length: random.int(1, 4) }, tryIt));
    await timeline.sleep(random.pick([1000, 600_000, 1_800_000]));
  }
}

/** Buys by usage, and spends what is left over on several calls at once. */
async function saver(world: World): Promise<void> {
  const { random, timeline } = world;
  const wallet = anybody(world);
  const bought = await prepare(world, { endpoint: "test.model", wallet });
  const answer = bought && (await insist(world, bought.sale));
  const token = answer?.headers.get("x-svc-credit");
  if (!token) return;
  const spend = async () => {
    const next = await prepare(world, { endpoint: random.pick(ENDPOINTS), wallet, headers: { "x-svc-credit": token } });
    if (next) await insist(world, next.sale);
  };
  await Promise.all(Array.from({ length: random.int(1, 4) }, spend));
  if (random.chance(0.5)) return;
  await timeline.sleep(random.int(1000, 60_000));
  await spend();
}

/** Buys by usage again and again without a word of credit; what credit replaces, somebody sends to the chain as well. */
async function regular(world: World): Promise<void> {
  const { random, timeline, chain } = world;
  const wallet = random.chance(0.5) ? random.pick(people) : fresh(world, 10_000_000n);
  const buy = async (endpoint: Endpoint, isSent: boolean) => {
    const bought = await prepare(world, { endpoint, wallet, exact: true });
    if (!bought) return;
    const asking = insist(world, bought.sale);
    await timeline.sleep(random.int(0, random.pick([3000, 30_000])));
    if (isSent && world.settings.rpc) chain.bundle(bought.signed.authorization, []);
    await asking;
  };
  // What two of them leave pays for a third one.
  for (let round = random.int(1, 2); round > 0; round--)
    await Promise.all(Array.from({ length: random.int(2, 3) }, () => buy("test.model", false)));
  for (let round = random.int(1, 3); round > 0; round--)
    await Promise.all(Array.from({ length: random.int(1, 2) }, () => buy(random.pick(ENDPOINTS), random.chance(0.5))));
}

export const buyers = [
  honest,
  honest,
  honest,
  concurrent,
  impatient,
  reuse,
  cheat,
  bundler,
  selfMade,
  cautious,
  overdraw,
  stranger,
  twins,
  hopeless,
  hoarder,
  tester,
  saver,
  saver,
  regular,
  regular,
];
