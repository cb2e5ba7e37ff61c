// Takes each guard of the payment path away, one at a time, in a copy of the tree, and runs the tests over it: a guard
// whose removal no test notices is not proven. Ends with status 1 if there is one. `--only <text>` picks some by name;
// `--seeds N` lets the simulator live through N worlds without each guard as well, and tells which one fell first.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const PAYMENT = ["test/handler/payment.test.ts", "test/handler/settlement.test.ts"];
const USAGE = ["test/handler/usage.test.ts", "test/handler/settle-first.test.ts"];
const TRIAL = ["test/handler/trial.test.ts"];
const ORDER = ["test/handler/order.test.ts"];
const BOUGHT = ["test/handler/bought-before.test.ts"];
const BUDGETS = ["test/handler/budgets.test.ts"];
const RETURNS = ["test/handler/false-yes.test.ts", "test/handler/solana-refunds.test.ts"];
const LOOKUP = ["test/payment/rails/solana/lookup.test.ts", "test/payment/rails/solana/refund.test.ts"];
const FAILURES = ["test/handler/failures.test.ts"];
const FULL = ["test/handler/full-store.test.ts"];
const MPP = ["test/payment/mpp/mpp.test.ts"];
const UNPAID = ["test/handler/unpaid-replies.test.ts"];
const REORGANISED = ["test/handler/reorganised.test.ts"];
const NEIGHBOURS = ["test/handler/neighbours.test.ts"];
/** @param {string} name */
const CHANNELS = (name) => [`test/payment/channels/${name}.test.ts`];
/** WAL-66.
 * @param {string} name */
const WALLETS = (name) => [`test/wallet/${name}.test.ts`];
const CREDIT = ["test/stores/update.test.ts", "test/proofs/credit-load.test.ts"];

/** What is taken away: `find` must occur in `file`, and becomes `replace`. */
const GUARDS = [
  {
    name: "a claim is written only where none is",
    file: "src/payment/settlement/guard.ts",
    find: "records.write(key, 0, record)",
    replace: "records.write(key, (await records.read(key))?.version ?? 0, record)",
    tests: PAYMENT,
  },
  {
    name: "a holder that was overtaken writes nothing",
    file: "src/payment/settlement/claim.ts",
    find: "await records.write(key, version, next, dueAt)",
    replace: "await records.write(key, (await records.read(key))?.version ?? 0, next, dueAt)",
    tests: PAYMENT,
  },
  {
    name: "copies wait while the lease of their twin lasts",
    file: "src/payment/settlement/guard.ts",
    find: 'if (record.leaseUntil > now()) return "held";',
    replace: 'if (record.leaseUntil > now() + 1e15) return "held";',
    tests: BOUGHT,
  },
  {
    name: "a payment buys one request",
    file: "src/payment/settlement/guard.ts",
    find: "if (record.fingerprint !== purchase.fingerprint)",
    replace: "if (record.fingerprint === '')",
    tests: PAYMENT,
  },
  {
    name: "a stored reply needs the payer's signature",
    file: "src/payment/settlement/guard.ts",
    find: "if (!purchase.proven && record.signatureHash !== purchase.signatureHash)",
    replace: "if (record.signatureHash === '')",
    tests: PAYMENT,
  },
  {
    name: "the signature is checked",
    file: "src/payment/rails/evm/signature.ts",
    find: 'throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID"',
    replace: 'if (false) throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID"',
    tests: PAYMENT,
  },
  {
    name: "the signed amount is the price",
    file: "src/payment/rails/evm/exact.ts",
    find: "if (authorization.value !== requirements.amount)",
    replace: "if (authorization.value === '')",
    tests: PAYMENT,
  },
  {
    name: "the signed payee is the treasury",
    file: "src/payment/rails/evm/exact.ts",
    find: "if (!sameAddress(authorization.to, requirements.payTo))",
    replace: "if (authorization.to === '')",
    tests: PAYMENT,
  },
  {
    name: "the payment is still valid long enough",
    file: "src/payment/settlement/guard.ts",
    find: "if (untimely) throw untimely;",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "the facilitator is asked before anything is claimed",
    file: "src/payment/settlement/guard.ts",
    find: 'if (verdict.kind === "invalid")',
    replace: "if (verdict.kind === undefined)",
    tests: PAYMENT,
  },
  {
    name: "a failed run frees the payment",
    file: "src/payment/settlement/claim.ts",
    find: "(await records.remove(key, version))",
    replace: "(await records.read(key)) === undefined",
    tests: PAYMENT,
  },
  {
    name: "a payment stays bound to its idempotency key",
    file: "src/payment/settlement/guard.ts",
    find: "if (key !== keyOf(purchase.id) && !(await records.bind(purchase.id, key, purchase.secretHash)))\n      return undefined;",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "a payment refused as too late is taken from all who hold it",
    file: "src/payment/settlement/guard.ts",
    find: "if (await records.remove(key, found.version)) await exposure",
    replace: "await exposure",
    tests: PAYMENT,
  },
  {
    name: "a copy that was verified too late finds what the other one bought",
    file: "src/payment/settlement/guard.ts",
    find: "if (error instanceof PaymentRefused && (await locate(purchase)).found) return undefined;",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "a settlement that was taken over stays due",
    file: "src/payment/settlement/guard.ts",
    find: "await records.write(key, found.version, taken, taken.leaseUntil)",
    replace: "await records.write(key, found.version, taken)",
    tests: PAYMENT,
  },
  {
    name: "a refusal counts only once the chain shows that nothing can move",
    file: "src/payment/settlement/settlement.ts",
    find: "const neverSent = attempts === 1 &&",
    replace: "const neverSent = true ||",
    tests: PAYMENT,
  },
  {
    name: "a node that does not answer proves nothing",
    file: "src/payment/rails/evm/lookup.ts",
    find: 'return { kind: "unreadable" };',
    replace: 'return { kind: "unknown" };',
    tests: PAYMENT,
  },
  {
    name: "what has nothing left to do is not due any more",
    file: "src/payment/settlement/reconcile.ts",
    find: "await records.write(key, found.version, record);",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "a payment made with credit is good for what it bought",
    file: "src/payment/checkout/paid-grant.ts",
    find: "if (taken) return taken;",
    replace: "",
    tests: USAGE,
  },
  {
    name: "an unclear settlement is no refusal",
    file: "src/payment/settlement/settlement.ts",
    find: 'if (end.kind === "pending") throw pending(',
    replace: "if (end.kind === undefined) throw pending(",
    tests: PAYMENT,
  },
  {
    name: "the facilitator's yes must name the payer",
    file: "src/payment/x402/facilitator.ts",
    find: "answer.payer && !payment.unlikeAmount && !sameAccount(requirements.network, answer.payer, payer)",
    replace: "answer.payer === 'nobody'",
    tests: PAYMENT,
  },
  {
    name: "the facilitator's yes must come with a transaction",
    file: "src/payment/x402/facilitator.ts",
    find: "const transaction = answer.transaction || undefined;",
    replace: "const transaction = answer.transaction || '0x0';",
    tests: PAYMENT,
  },
  {
    name: "unsettled work of a payer is capped",
    file: "src/payment/settlement/exposure.ts",
    find: "if (total <= Number(max) || total <= amount) return;",
    replace: "return;",
    tests: PAYMENT,
  },
  {
    name: "payment headers are read up to 16 KiB",
    file: "src/payment/x402/wire.ts",
    find: "if (header.length > MAX_HEADER_BYTES)",
    replace: "if (header.length > 1e9)",
    tests: PAYMENT,
  },
  {
    name: "payment headers are read up to 32 levels",
    file: "src/payment/x402/wire.ts",
    find: "if (nestingOf(json) > MAX_DEPTH)",
    replace: "if (nestingOf(json) > 1e9)",
    tests: PAYMENT,
  },
  {
    name: "a return's nonce follows from its payment",
    file: "src/payment/rails/evm/exact.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    find: "update(`return ${back.order}`)",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    replace: "update(`return ${back.order} ${Math.random()}`)",
    tests: USAGE,
  },
  {
    name: "what is owed is written with what is settled",
    file: "src/payment/settlement/claim.ts",
    find: 'dues.refund = { amount: rest.toString(), state: "owed", attempts: 0 };',
    replace: "dues.refund = undefined;",
    tests: USAGE,
  },
  {
    name: "what is prepared and done have one deadline together",
    file: "src/request/run.ts",
    find: "capability.timeoutMs - (preparing.get(order) ?? 0)",
    replace: "capability.timeoutMs",
    tests: ["test/deadlines.test.ts"],
  },
  {
    name: "a refund is paid once the chain shows its settlement",
    file: "src/payment/refund/attempt.ts",
    find: "if (!(await isSettled(record))) return unseen(record, owed);",
    replace: "",
    tests: RETURNS,
  },
  {
    name: "a refund that can land no more is not sent again",
    file: "src/payment/refund/attempt.ts",
    find: "if (seen?.isOver) return",
    replace: "if (seen === undefined) return",
    tests: RETURNS,
  },
  {
    name: "what is owed for long is told",
    file: "src/payment/refund/refunds.ts",
    find: "const isTold = isToBeTold(done);",
    replace: "const isTold = false;",
    tests: RETURNS,
  },
  {
    name: "what is owed for long is told once a day",
    file: "src/payment/refund/refunds.ts",
    find: "now() - refund.toldAt >= DAY_MS",
    replace: "now() - refund.toldAt >= 0",
    tests: RETURNS,
  },
  {
    name: "solana: a transaction that the facilitator named is read",
    file: "src/payment/settlement/settlement.ts",
    find: "rail?.find(payment, told)",
    replace: "rail?.find(payment)",
    tests: RETURNS,
  },
  {
    name: "solana: a refund has an address of its own",
    file: "src/payment/rails/solana/lookup.ts",
    find: "return reference ?? instructions",
    replace: "return instructions",
    tests: LOOKUP,
  },
  {
    name: "solana: nobody else can tell a refund's address",
    file: "src/payment/rails/solana/refund.ts",
    find: 'createHmac("sha256", secretKey)',
    replace: 'createHash("sha256")',
    tests: LOOKUP,
  },
  {
    name: "solana: what is later than a refund's life does not count",
    file: "src/payment/rails/solana/listing.ts",
    find: "if (search.isOver) search.toSlot = final.absoluteSlot - blocksSince;",
    replace: "",
    tests: LOOKUP,
  },
  {
    name: "solana: what is listed counts although the node does not say how far it has come",
    file: "src/payment/rails/solana/listing.ts",
    find: "search.isKnown = false;",
    replace: 'throw new Error("unknown");',
    tests: LOOKUP,
  },
  {
    name: "solana: nothing is absent where the node does not say how far it has come",
    file: "src/payment/rails/solana/listing.ts",
    find: "let isWhole = search.isKnown;",
    replace: "let isWhole = true;",
    tests: LOOKUP,
  },
  {
    name: "solana: dust without memos is told apart",
    file: "src/payment/rails/solana/lookup.ts",
    find: "return areTold ? named : unnamed;",
    replace: "return [...named, ...unnamed];",
    tests: LOOKUP,
  },
  {
    name: "solana: of many copies the oldest are read",
    file: "src/payment/rails/solana/lookup.ts",
    find: "candidates.slice(-MAX_READS[search.kind])",
    replace: "candidates.slice(0, MAX_READS[search.kind])",
    tests: LOOKUP,
  },
  {
    name: "credit is held before it is used",
    file: "src/payment/refund/credit.ts",
    find: "if (available(record, now()) < amount) return undefined;",
    replace: "",
    tests: USAGE,
  },
  {
    name: "usage never costs more than was authorized",
    file: "src/payment/pricing/usage.ts",
    find: "if (charge <= authorized) return",
    replace: "if (charge >= 0n) return",
    tests: USAGE,
  },
  {
    name: "a trial is reserved by compare-and-set",
    file: "src/stores/update.ts",
    find: "{ ifVersion, ttlMs }",
    replace: "{ ifVersion: (await store.get(key))?.version ?? 0, ttlMs }",
    tests: TRIAL,
  },
  {
    name: "trials have a ceiling",
    file: "src/payment/trial/trial.ts",
    find: "if (quote > maxQuote)",
    replace: "if (quote < 0n)",
    tests: TRIAL,
  },
  {
    name: "trials fit into the budgets",
    file: "src/payment/trial/trial.ts",
    find: "if (!(await spend(counters)))",
    replace: "if (false)",
    tests: TRIAL,
  },
  {
    name: "bodies are read up to the cap",
    file: "src/lib/read-limited.ts",
    find: "if (size > maxBytes) throw",
    replace: "if (size > maxBytes * 100) throw",
    tests: ORDER,
  },
  {
    name: "bodies nest up to 64 levels",
    file: "src/request/input.ts",
    find: "if (nestingOf(json) > MAX_DEPTH)",
    replace: "if (nestingOf(json) > 1e9)",
    tests: ORDER,
  },
  {
    name: "no cache keeps what belongs to one caller",
    file: "src/request/headers.ts",
    find: '"cache-control": "no-store"',
    replace: '"cache-control": "public"',
    tests: PAYMENT,
  },
  {
    name: "a transfer on chain is counted for one payment",
    file: "src/payment/settlement/transfers.ts",
    find: "return (await store.get(key))?.value === paymentId;",
    replace: "return true;",
    tests: ["test/handler/settlement.test.ts"],
  },
  {
    name: "a payment is proven by the transfer that follows the use of its own nonce",
    file: "src/payment/rails/evm/lookup.ts",
    find: "return at < 0 ? undefined : ofToken[at + 1];",
    replace: "return ofToken.find(({ topics, data }) => topics.length === 3 && BigInt(data) > 0n);",
    tests: ["test/payment/rails/evm/lookup.test.ts"],
  },
  {
    name: "work that came to nothing uses a budget of its payer",
    file: "src/payment/failures/failures.ts",
    find: "if (isSpent(recent, limits)) throw",
    replace: "if (false) throw",
    tests: [...BUDGETS, ...FAILURES],
  },
  {
    name: "a batch is settled first where one of its calls is",
    file: "src/payment/checkout/paid-grant.ts",
    find: "const all = [capability, ...(capability.parts?.(order) ?? [])];",
    replace: "const all = [capability];",
    tests: ["test/handler/settle-first.test.ts"],
  },
  {
    name: "resale: what was bought elsewhere for a batch that fails is charged",
    file: "src/request/run.ts",
    find: 'if (ctx.sold.cost === 0n || grant.caller !== "paid") throw error;',
    replace: "throw error;",
    tests: ["test/resell/resell.test.ts"],
  },
  {
    name: "resale: what is bought elsewhere is bought once all of our own is done",
    file: "src/capabilities/batch/run.ts",
    find: "if (part.use?.effects || part.capability.resold) continue;",
    replace: "if (part.use?.effects) continue;",
    tests: ["test/resell/resell.test.ts"],
  },
  {
    name: "resale: a buyer that leaves pays for what was bought for it",
    file: "src/request/run.ts",
    find: "?.effects || isResold(order);",
    replace: "?.effects;",
    tests: ["test/resell/resell.test.ts"],
  },
  {
    name: "client: what was signed is spent, whatever the receipt says",
    file: "src/client/wallet.ts",
    find: "if (receiptOf(reply.headers)) hold.settle(hold.amount);",
    replace: "if (receiptOf(reply.headers)) hold.settle(BigInt(receiptOf(reply.headers)?.amount ?? 0));",
    tests: ["test/client/hostile.test.ts"],
  },
  {
    name: "client: what a service denies frees no more than the total in all",
    file: "src/client/budget.ts",
    find: "if (total !== undefined && lapsed + hold.amount > total) continue;",
    replace: "",
    tests: ["test/client/hostile.test.ts"],
  },
  {
    name: "client: nothing is sent that is good for more than was quoted",
    file: "src/client/payment.ts",
    find: "if (amount > hold.amount)",
    replace: "if (false)",
    tests: ["test/client/hostile.test.ts"],
  },
  {
    name: "client: an answer is read as far as its limit",
    file: "src/client/read-body.ts",
    find: "if (size > maxBytes) {",
    replace: "if (size < 0) {",
    tests: ["test/client/hostile.test.ts"],
  },
  {
    name: "failures: no more calls are under way than the budget would bear",
    file: "src/payment/failures/lines.ts",
    find: "if (running === 0) return true;",
    replace: "return true;",
    tests: FAILURES,
  },
  {
    name: "failures: a run on credit that fails is counted",
    file: "src/payment/checkout/credit-grant.ts",
    find: "await Promise.all([letGo(), attempt.fail()]);",
    replace: "await letGo();",
    tests: FAILURES,
  },
  {
    name: "failures: a run of a trial that fails is counted",
    file: "src/payment/checkout/authorize.ts",
    find: "await Promise.all([trial.giveBack(), attempt?.fail()]);",
    replace: "await trial.giveBack();",
    tests: FAILURES,
  },
  {
    name: "failures: a run paid by voucher that fails is counted",
    file: "src/payment/checkout/channel-grant.ts",
    find: "await Promise.all([sale.release(), attempt.fail()]);",
    replace: "await sale.release();",
    tests: CHANNELS("failures"),
  },
  {
    name: "failures: a voucher of who failed too often reserves nothing",
    file: "src/payment/channels/desk.ts",
    find: "else await begun.catch(refuse(entry.sale));",
    replace: "",
    tests: CHANNELS("failures"),
  },
  {
    name: "failures: no deposit is made for who failed too often",
    file: "src/payment/channels/desk.ts",
    find: "await begun;\n",
    replace: "",
    tests: CHANNELS("failures"),
  },
  {
    name: "a trial that was broken off uses the budgets that are shared",
    file: "src/payment/trial/trial.ts",
    find: "async giveBack() {",
    replace: "async giveBack() {\n          await refund(counters);",
    tests: BUDGETS,
  },
  {
    name: "a payment is looked up before it is judged by today's terms",
    file: "src/payment/checkout/paid-grant.ts",
    find: "if (taken) return taken;",
    replace: "",
    tests: BOUGHT,
  },
  {
    name: "a purchase whose first payment can never pay is begun anew",
    file: "src/payment/settlement/guard.ts",
    find: "if (!(error instanceof PaymentRefused) || taken.id === purchase.id) throw error;",
    replace: "throw error;",
    tests: BOUGHT,
  },
  {
    name: "waiting for a copy of a payment has an end",
    file: "src/payment/settlement/guard.ts",
    find: "attempt <= MAX_ATTEMPTS",
    replace: "attempt > 0",
    tests: ["test/handler/retry-bound.test.ts"],
  },
  {
    name: "who waits for a copy of a payment may leave",
    file: "src/payment/settlement/guard.ts",
    find: "if (signal?.aborted) throw",
    replace: "if (false) throw",
    tests: BOUGHT,
  },
  {
    name: "a silent node leaves a refused settlement pending",
    file: "src/payment/settlement/settlement.ts",
    find: 'if (neverSent && found.kind === "unknown") return said;',
    replace: 'if (neverSent && found.kind !== "paid") return said;',
    tests: PAYMENT,
  },
  {
    name: "a store that is frozen ends a call",
    file: "src/stores/fail-closed.ts",
    find: "return await within(STORE_TIMEOUT_MS, work);",
    replace: "return await work();",
    tests: BUDGETS,
  },
  {
    name: "each kind of record has room of its own in a store in memory",
    file: "src/stores/memory.ts",
    find: 'key.slice(0, key.indexOf(":") + 1)',
    replace: "key.slice(0, 0)",
    tests: ["test/stores/memory.test.ts"],
  },
  {
    name: "a purchase is opened by another payment only while that is good",
    file: "src/payment/settlement/guard.ts",
    find: "      await assertStillGood(purchase);",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "a payment that opened a purchase once opens it again with its own secret",
    file: "src/payment/settlement/guard.ts",
    find: "const isKnown = secretHash !== undefined && secretHash === purchase.secretHash;",
    replace: "const isKnown = secretHash !== undefined;",
    tests: PAYMENT,
  },
  {
    name: "a challenge is one of ours, of this realm",
    file: "src/payment/mpp/challenge.ts",
    find: "if (challenge.realm !== realm || mac.length !== ours.length || !timingSafeEqual(mac, ours))",
    replace: "if (id === '')",
    tests: MPP,
  },
  {
    name: "a challenge is for the terms that it is paid for",
    file: "src/payment/mpp/challenge.ts",
    find: "if (challenge.request !== requestOf(terms).json)",
    replace: "if (id === '')",
    tests: MPP,
  },
  {
    name: "a transaction that the facilitator names twice is looked for on chain",
    file: "src/payment/settlement/settlement.ts",
    find: "&& !transfers.isOthers(requirements.network, said.transaction, id)",
    replace: "",
    tests: PAYMENT,
  },
  {
    name: "a challenge ends",
    file: "src/payment/mpp/challenge.ts",
    find: "if (!(Date.parse(expires) > now))",
    replace: "if (id === '')",
    tests: MPP,
  },
  {
    name: "replies of refused payments are kept up to a bound",
    file: "src/payment/settlement/settlement.ts",
    find: "isOver || !(await kept.refused(rest))",
    replace: "isOver",
    tests: UNPAID,
  },
  {
    name: "replies of refused payments go when they cannot be paid for any more",
    file: "src/payment/settlement/reconcile.ts",
    find: "if (record.kept?.until !== undefined) return forget(key, found);",
    replace: "",
    tests: UNPAID,
  },
  {
    name: "no work is begun for who keeps too much that is unclear",
    file: "src/payment/settlement/guard.ts",
    find: "kept.assertRoom(purchase.payment);",
    replace: "",
    tests: UNPAID,
  },
  {
    name: "a settlement that the chain took back is made again",
    file: "src/payment/settlement/second-look.ts",
    find: "await facilitator.settle(payment);",
    replace: "",
    tests: REORGANISED,
  },
  {
    name: "a settlement is looked for again where the host has a node",
    file: "src/payment/settlement/settlement.ts",
    find: "?.ownNode ? lookAtOf(record, now()) : undefined",
    replace: "?.ownNode === null ? lookAtOf(record, now()) : undefined",
    tests: REORGANISED,
  },
  {
    name: "a lost settlement is told once",
    file: "src/payment/settlement/second-look.ts",
    find: "if (!loss || !(await ledger.book([loss]))) return;",
    replace: "if (!loss || !(await ledger.book([loss]).then(() => true))) return;",
    tests: REORGANISED,
  },
  {
    name: "a settlement is lost by the chain's word, not by a node's silence",
    file: "src/payment/settlement/second-look.ts",
    find: '(seen.kind === "absent" && isOver)',
    replace: "isOver",
    tests: REORGANISED,
  },
  {
    name: "the background leaves what is due to another host",
    file: "src/payment/settlement/reconcile.ts",
    find: "if (!own.has(record.payment.requirements)) return others.add",
    replace: "if (record.id === '') return others.add",
    tests: NEIGHBOURS,
  },
  {
    name: "what another host has open is not finished for its payer",
    file: "src/payment/settlement/guard.ts",
    find: "if (!own.has(record.payment.requirements)) throw pending(",
    replace: "if (record.id === '') throw pending(",
    tests: NEIGHBOURS,
  },
  {
    name: "no work is begun for a payment to another host",
    file: "src/payment/settlement/guard.ts",
    find: "if (!own.has(purchase.payment.requirements))",
    replace: "if (purchase.id === '')",
    tests: NEIGHBOURS,
  },
  {
    name: "credit counts where it is owed",
    file: "src/payment/refund/credit.ts",
    find: "return own.hasId(account) ?",
    replace: "return true ?",
    tests: NEIGHBOURS,
  },
  {
    name: "an idempotency key names what was bought here",
    file: "src/payment/record.ts",
    find: "if (!found || own.has(found.record.payment.requirements)) return",
    replace: "if (found || order) return",
    tests: NEIGHBOURS,
  },
  {
    name: "the ledger tells of a host's own accounts",
    file: "src/payment/ledger/ledger.ts",
    find: "if (own.hasId(entry.account)) yield",
    replace: "yield",
    tests: NEIGHBOURS,
  },
  {
    name: "replies go before new sales are refused",
    file: "src/stores/room.ts",
    find: "this.#makeRoom(sizeOf(next)",
    replace: "if (lean === 'never') this.#makeRoom(sizeOf(next)",
    tests: FULL,
  },
  {
    name: "a reply that is owed does not go",
    file: "src/payment/record.ts",
    find: "if (!isOver) return undefined;",
    replace: "",
    tests: FULL,
  },
  {
    name: "a payment whose reply had to go is not run again",
    file: "src/payment/record.ts",
    find: "return { ...record, failure: NOT_KEPT };",
    replace: "return { ...record, prepaid: true };",
    tests: FULL,
  },
  {
    name: "refused trials leave nothing in the store",
    file: "src/payment/trial/trial.ts",
    find: "const counters = budgets(caller.key, caller.network, quote);",
    replace:
      "const counters = budgets(caller.key, caller.network, quote);\n      await change(store, key, now, () => {});",
    tests: FULL,
  },
  {
    name: "credit is changed only as it was read",
    file: "src/stores/update.ts",
    find: "{ ifVersion, ttlMs }",
    replace: "{ ifVersion: (await store.get(key))?.version ?? 0, ttlMs }",
    tests: CREDIT,
  },
  {
    name: "changes that wait in one process are written at once",
    file: "src/stores/update.ts",
    find: "if (queue) queue.push(waiting);",
    replace: "if (false) return;",
    tests: CREDIT,
  },
  {
    name: "credit beside a payment that is settled first is free when that fails",
    file: "src/payment/checkout/paid-grant.ts",
    find: "if (credit && covered > 0n) await counter.credits.capture(credit.id, claim.key, 0n);",
    replace: "",
    tests: USAGE,
  },
  {
    name: "credit is free again when the settlement beside it is refused",
    file: "src/payment/settlement/settlement.ts",
    find: "await credits.capture(record.credit.id, key, 0n);",
    replace: "",
    tests: USAGE,
  },
  {
    name: "what goes to a facilitator is rebuilt from what was checked",
    file: "src/payment/checkout/paid-grant.ts",
    find: "payload: checked.payload ?? payment.payload,",
    replace: "payload: payment.payload,",
    tests: BUDGETS,
  },
  {
    name: "channel: reserved by compare-and-set",
    file: "src/payment/channels/sale.ts",
    find: "records.write({ ...record, flight, lastAt: now() }, version)",
    replace: "records.write({ ...record, flight, lastAt: now() }, (await records.read(record.id))?.version ?? version)",
    tests: CHANNELS("crashes"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a holder that was overtaken charges nothing",
    file: "src/payment/channels/sale.ts",
    find: "there.value.flight !== id && there.value.charge === 0n",
    replace: "true",
    tests: CHANNELS("crashes"),
    simulator: ["--channels"],
  },
  {
    name: "channel: whoever takes over puts an empty answer first",
    file: "src/payment/channels/mirror.ts",
    find: "if (await records.writeReply(flight.reply, nothing, reply?.version ?? 0))",
    replace: "if (nothing)",
    tests: CHANNELS("crashes"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a call waits while another one's lease lasts",
    file: "src/payment/channels/mirror.ts",
    find: '  if (!isOver) return "held";\n    const fingerprint',
    replace: "  const fingerprint",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a published voucher buys nothing",
    file: "src/payment/channels/desk.ts",
    find: "if (found.value.published.includes(ceiling)) throw published();",
    replace: "",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a voucher at or below what is claimed buys nothing",
    file: "src/payment/channels/desk.ts",
    find: "if (ceiling <= found.value.claimed) throw belowClaimed(found.value);",
    replace: "",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: the ceiling is what was charged and the price",
    file: "src/payment/channels/desk.ts",
    find: "if (ceiling !== found.value.charged + amount) throw outOfStep(found.value);",
    replace: "",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: the next call of a known channel fits the deposit",
    file: "src/payment/channels/desk.ts",
    find: "      ceiling <= record.balance &&\n",
    replace: "",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: nothing is sold shortly before a withdrawal ends",
    file: "src/payment/channels/desk.ts",
    find: "assertNotClosing(covered.value);",
    replace: "",
    tests: CHANNELS("withdrawals"),
    simulator: ["--channels"],
  },
  {
    name: "channel: the voucher key signed",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (signedBy === undefined || !sameAddress(signedBy, config.payerAuthorizer))",
    replace: 'if (signedBy === "")',
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: what a signed refund may take is not for sale",
    file: "src/payment/channels/changes.ts",
    find: "refund && refund.nonce >= refundNonce ? refund.amount : 0n",
    replace: "refund && refund.nonce < refundNonce ? refund.amount : 0n",
    tests: CHANNELS("late-refunds"),
    simulator: ["--channels"],
  },
  {
    name: "channel: of several refunds under one nonce the largest counts",
    file: "src/payment/channels/refund.ts",
    find: "amount: amount > earlier ? amount : earlier",
    replace: "amount",
    tests: CHANNELS("late-refunds"),
  },
  {
    name: "channel: a published voucher closes no channel",
    file: "src/payment/channels/refund.ts",
    find: "if (isPublic(record, ceiling, !isKnown) && !isRepeated(record, message.amount))",
    replace: "if (record.id === '')",
    tests: CHANNELS("strangers-refunds"),
    simulator: ["--channels"],
  },
  {
    name: "channel: who signs in for a refund is its payer or voucher key",
    file: "src/payment/channels/refund.ts",
    find: "accountId(network, one) === account)) return;",
    replace: "account !== undefined && one !== '')) return;",
    tests: CHANNELS("strangers-refunds"),
  },
  {
    name: "channel: a change of a wallet's state is old news after two minutes",
    file: "src/payment/channels/desk.ts",
    find: "return now() - at > COPY_MS || chargedAfter",
    replace: "return chargedAfter",
    tests: CHANNELS("wallets"),
  },
  {
    name: "channel: a change of a wallet's state is old news once the channel bought more",
    file: "src/payment/channels/desk.ts",
    find: "> COPY_MS || chargedAfter(receipt) !== charged;",
    replace: "> COPY_MS;",
    tests: CHANNELS("wallets"),
  },
  {
    name: "channel: a name that can be guessed fetches nothing with a published voucher",
    file: "src/payment/checkout/paid-grant.ts",
    find: "  identifier.length >= MIN_SECRET_LENGTH;",
    replace: "  identifier.length > 0;",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: with a published voucher a wrong input is as a wrong name",
    file: "src/payment/channels/desk.ts",
    find: "purchase.isSecret && answered?.value.fingerprint === fingerprint;",
    replace: "purchase.isSecret;",
    tests: CHANNELS("vouchers"),
  },
  {
    name: "channel: a wallet's state is for a payer that is proven",
    file: "src/payment/checkout/channel-grant.ts",
    find: "if (use && !proven.isPayer && (await signedIn()) !== payers) throw unproven();",
    replace: "",
    tests: CHANNELS("payers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: who deposits in another's name is not that other one",
    file: "src/payment/channels/changes.ts",
    find: "delegated === true || terms.payer === terms.authorizer;",
    replace: "delegated !== null || terms.payer === terms.authorizer;",
    tests: CHANNELS("payers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a deposit proves its payer by a signature that counts",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "(await isSignedByContract(rpc, config.payer, { hash: await hashTypedData(data), hex }));",
    replace: "true;",
    tests: CHANNELS("payers"),
  },
  {
    name: "channel: a voucher's signature is one that the contract takes",
    file: "src/payment/rails/evm/recover.ts",
    find: "/1[bc]$/i.test(hex) ?",
    replace: "hex !== '' ?",
    tests: CHANNELS("signatures"),
    simulator: ["--channels"],
  },
  {
    name: "channel: what our key signs is sent as the contract takes it",
    file: "src/payment/rails/evm/channel-requests.ts",
    find: "return onChain(await signer",
    replace: "return (await signer",
    tests: CHANNELS("signatures"),
  },
  {
    name: "channel: the id is that of the configuration",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (sent.voucher.channelId.toLowerCase() !== id)",
    replace: 'if (id === "")',
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: it is with our treasury",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (!sameAddress(receiver, payTo))",
    replace: 'if (receiver === "")',
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: it is of our token",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (!sameAddress(token, asset.address))",
    replace: 'if (token === "")',
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: its claims are signed by us",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (mine.length === 0)",
    replace: "if (mine.length < 0)",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: its delay is ours",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (!mine.some((key) => key.withdrawDelay === withdrawDelay))",
    replace: "if (withdrawDelay < 0)",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a deposit is large enough",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "if (amount < minDeposit)",
    replace: "if (amount < 0n)",
    tests: CHANNELS("deposits"),
    simulator: ["--channels"],
  },
  {
    name: "channel: the payer signed the deposit",
    file: "src/payment/rails/evm/channel-message.ts",
    find: "await isSignedBy(config.payer, {",
    replace: "void ({",
    tests: CHANNELS("deposits"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a deposit is there when the chain shows it",
    file: "src/payment/channels/deposit.ts",
    find: "if (ceiling <= seen.balance) {",
    replace: 'if (end.kind === "settled" || ceiling <= seen.balance) {',
    tests: CHANNELS("deposits"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a deposit that is not needed is not made",
    file: "src/payment/channels/deposit.ts",
    find: "  record = await mirror.refreshed(record);\n  if (ceiling <= record.balance) return { value: record, version: found.version };\n",
    replace: "",
    tests: CHANNELS("deposits"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a claim stops at the balance",
    file: "src/payment/channels/due.ts",
    find: "least(least(charged, balance), voucher.ceiling)",
    replace: "least(charged, voucher.ceiling)",
    tests: CHANNELS("withdrawals"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a claim that failed is tried in halves",
    file: "src/payment/channels/claim.ts",
    find: "    await claim(open.slice(0, half));\n",
    replace: "",
    tests: CHANNELS("withdrawals"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a corrected buyer has its turn kept, also where nobody waits",
    file: "src/payment/channels/turns.ts",
    find: "if (next(channel, line, corrected) || !corrected) return;",
    replace: "if (next(channel, line)) return;",
    tests: CHANNELS("two-processes"),
  },
  {
    name: "channel: a kept turn is for whoever was corrected",
    file: "src/payment/channels/turns.ts",
    find: "if (line.kept && mayBe(comer, line.kept.corrected)) {",
    replace: "if (line.kept) {",
    tests: CHANNELS("two-processes"),
  },
  {
    name: "channel: a claim that failed is tried again",
    file: "src/payment/channels/parking.ts",
    find: " && (record.parking?.retryAt ?? 0) > now",
    replace: "",
    tests: CHANNELS("parked"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a claim that failed waits longer each time",
    file: "src/payment/channels/parking.ts",
    find: "FIRST_MS * 2 ** Math.min(tries, 20)",
    replace: "FIRST_MS",
    tests: CHANNELS("parked"),
  },
  {
    name: "channel: claims that failed spoil no others",
    file: "src/payment/channels/claimer.ts",
    find: '${record.parking ? "again" : ""}',
    replace: "",
    tests: CHANNELS("parked"),
  },
  {
    name: "channel: a claim that may be under way is not sent again",
    file: "src/payment/channels/claim.ts",
    find: "claimAfter: now() + UNCLEAR_MS",
    replace: "claimAfter: 0",
    tests: CHANNELS("claims"),
    simulator: ["--channels"],
  },
  {
    name: "channel: what a claim publishes is noted before it is sent",
    file: "src/payment/channels/claim.ts",
    find: "return { ...record, published, claimAfter",
    replace: "return { ...record, claimAfter",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: what a refund publishes is noted before it is sent",
    file: "src/payment/channels/refund.ts",
    find: "const marked = claims ? {",
    replace: "const marked = !found ? {",
    tests: CHANNELS("claims"),
    simulator: ["--channels"],
  },
  {
    name: "channel: rows of several keys are claimed apart",
    file: "src/payment/channels/claimer.ts",
    find: "const name = rail.batchOf(record.terms);",
    replace: 'const name = "all";',
    tests: CHANNELS("together"),
    simulator: ["--channels"],
  },
  {
    name: "channel: sums are of our own channels",
    file: "src/payment/channels/sums.ts",
    find: "if (!rail.batchOf(found.value.terms)) continue;",
    replace: "",
    tests: CHANNELS("together"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a refund is of what was not charged",
    file: "src/payment/channels/refund.ts",
    find: "if (ceiling !== record.charged) throw outOfStep(record);",
    replace: "",
    tests: CHANNELS("claims"),
    simulator: ["--channels"],
  },
  {
    name: "channel: refunds that cost more than they are worth are few",
    file: "src/payment/channels/refund.ts",
    find: "assertWorth(record, now());",
    replace: "",
    tests: CHANNELS("claims"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a lost store takes no base below what is claimed",
    file: "src/payment/channels/mirror.ts",
    find: "if (charged < state.claimed || (",
    replace: "if ((",
    tests: CHANNELS("claims"),
    simulator: ["--channels"],
  },
  {
    name: "channel: the voucher with the least room is kept",
    file: "src/payment/channels/changes.ts",
    find: "return fresh.ceiling < kept.ceiling ? fresh : kept;",
    replace: "return fresh;",
    tests: CHANNELS("vouchers"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a node that is behind is not believed",
    file: "src/payment/channels/changes.ts",
    find: "if (isReversed && !hasPassed(record, head, now)) return undefined;",
    replace: "",
    tests: CHANNELS("reorganised"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a claim that was taken back is made again",
    file: "src/payment/channels/finality.ts",
    find: "  if (!head) return false;\n",
    replace: "  if (now > 0) return false;\n  if (!head) return false;\n",
    tests: CHANNELS("reorganised"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a voucher stays published when its claim is taken back",
    file: "src/payment/channels/changes.ts",
    find: "if (!isOpen(next)) next.published",
    replace: "next.published",
    tests: CHANNELS("reorganised"),
    simulator: ["--channels"],
  },
  {
    name: "channel: claims are looked for until they are final",
    file: "src/payment/channels/claimer.ts",
    find: "if (owed(record) > 0n || isOpen(record))",
    replace: "if (owed(record) > 0n)",
    tests: CHANNELS("reorganised"),
    simulator: ["--channels"],
  },
  {
    name: "channel: nothing is sold or deposited while record and chain disagree",
    file: "src/payment/channels/mirror.ts",
    find: "if (!next) throw disputed();",
    replace: "if (!next) return record;",
    tests: CHANNELS("reorganised"),
  },
  {
    name: "channel: a change that cannot be answered is charged",
    file: "src/payment/checkout/channel-grant.ts",
    find: "(await isDone(false)) ? sale.keep(amount) : sale.release()",
    replace: "sale.release()",
    tests: CHANNELS("wallets"),
    simulator: ["--channels"],
  },
  {
    name: "channel: a change is made once a purchase",
    file: "src/payment/checkout/channel-grant.ts",
    find: "effects ? { callId: sale.id } : {}",
    replace: "{}",
    tests: CHANNELS("wallets"),
    simulator: ["--channels"],
  },
  {
    name: "wallets: changes of one wallet are in line",
    file: "src/wallet/account.ts",
    find: "from @wallets where wallet = $1 for update)",
    replace: "from @wallets where wallet = $1)",
    tests: [...WALLETS("kv"), ...WALLETS("limits")],
  },
  {
    name: "wallets: a call that has a receipt is done",
    file: "src/wallet/account.ts",
    find: "if (receipt && call.callId) return",
    replace: "if (false) return",
    tests: WALLETS("once"),
  },
  {
    name: "wallets: only the newest lease counts",
    file: "src/wallet/leases.ts",
    find: "and lease = $4 and",
    replace: "and $4::text is not null and",
    tests: WALLETS("queue"),
  },
  {
    name: "wallets: a write under a lock that is lost is refused",
    file: "src/wallet/objects.ts",
    find: "if (!fence) return undefined;",
    replace: "return undefined;",
    tests: WALLETS("lock"),
  },
  {
    name: "wallets: what is due is taken by one instance",
    file: "src/wallet/fire.ts",
    find: "limit $2::int for update skip locked",
    replace: "limit $2::int",
    tests: WALLETS("schedule"),
  },
  {
    name: "wallets: a callback's URL is judged again at every attempt",
    file: "src/wallet/send.ts",
    find: "postOutbound(sender.outbound(), url, options)",
    replace: "postOutbound({ ...sender.outbound(), outbound: { allowPrivate: true } }, url, options)",
    tests: [...WALLETS("callbacks"), ...WALLETS("callback-urls")],
  },
  {
    name: "wallets: behind a receiver that fails only the oldest is tried",
    file: "src/wallet/deliveries.ts",
    find: "and c.successes > 0) or",
    replace: "or true) or",
    tests: WALLETS("callbacks"),
  },
  {
    name: "wallets: what no database keeps is refused in its field",
    file: "src/wallet/fields.ts",
    find: "text(min, max).refine(isStorableText, { error: UNSTORABLE, abort: true })",
    replace: "text(min, max)",
    tests: WALLETS("hostile-text"),
  },
  {
    name: "wallets: a cursor holds only what a statement takes",
    file: "src/wallet/page.ts",
    find: '.toString("utf8"), storable)',
    replace: '.toString("utf8"))',
    tests: WALLETS("hostile-text"),
  },
  {
    name: "wallets: a row that does not open stops nobody else's",
    file: "src/wallet/seal.ts",
    find: "if (!CapabilityError.is(error) || !closed.has(error)) throw error;",
    replace: "throw error;",
    tests: WALLETS("set-aside"),
  },
  {
    name: "wallets: what was set aside counts no attempt",
    file: "src/wallet/deliveries.ts",
    find: "attempts = d.attempts - 1, last_outcome",
    replace: "last_outcome",
    tests: WALLETS("set-aside"),
  },
  {
    name: "wallets: a cron is asked for the next time after now",
    file: "src/wallet/fire.ts",
    find: "if (!second || second > now) return { dueAt: nextAt, missed: 0, next: second };",
    replace: "for (let at = second; at && at <= now; at = after(at));",
    tests: WALLETS("schedule"),
  },
  {
    name: "wallets: a nonce is used up before a node is asked",
    file: "src/request/sign-in.ts",
    find: "await assertFewer(call, order, ASKS);\n    await useUp();",
    replace: "",
    tests: WALLETS("sign-in"),
  },
  {
    name: "wallets: a sign-in writes nothing for a wallet that has nothing",
    file: "src/wallet/account.ts",
    find: "if (isNew && call.free)",
    replace: "if (false)",
    tests: WALLETS("sign-in"),
  },
  {
    name: "wallets: a URL is asked so often however it is spelled",
    file: "src/wallet/challenge.ts",
    find: "(await counts(ctx, origin + path, PER_HOUR))",
    replace: "(await counts(ctx, url, PER_HOUR))",
    tests: WALLETS("subscriptions"),
  },
  {
    name: "wallets: an origin is asked so often",
    file: "src/wallet/challenge.ts",
    find: "&& counts(ctx, origin, PER_ORIGIN)",
    replace: "",
    tests: WALLETS("subscriptions"),
  },
  {
    name: "wallets: what nobody pays for fills no log",
    file: "src/request/problem.ts",
    find: "return tally(`${event.id} ${code}`);",
    replace: "return 1;",
    tests: ["test/handler/what-hosts-learn.test.ts"],
  },
  {
    name: "wallets: a folder has one owner",
    file: "src/wallet/embedded/folder-lock.ts",
    find: "if (await answers(path)) throw taken(folder);",
    replace: "",
    tests: WALLETS("embedded"),
  },
  {
    name: "a fixed time that comes twice fires once",
    file: "src/wallet/clock-changes.ts",
    find: "times.isFixed && isSecondTime(instant, offset, zone)",
    replace: "false",
    tests: WALLETS("clock-changes"),
  },
  {
    name: "a skipped hour fires once, at its end",
    file: "src/wallet/clock-changes.ts",
    find: "if (isSkipped && times.namesHours) return change;",
    replace: "",
    tests: WALLETS("clock-changes"),
  },
  {
    name: "lists that share their bytes are not read for ever",
    file: "src/engines/calldata/reader.ts",
    find: "if (this.#values > MAX_VALUES || this.#bytes > MAX_BYTES)",
    replace: "if (this.#values < 0)",
    tests: ["test/engines/calldata/decode.test.ts"],
  },
  {
    name: "a text of a model that nobody knows is quoted by its bytes",
    file: "src/engines/models/tokens.ts",
    find: "if (families.length === 0) return bytes;",
    replace: "if (families.length === 0) return Math.ceil(bytes / 3);",
    tests: ["test/engines/models/tokens.test.ts"],
  },
  {
    name: "a result of an own capability is what its output promises",
    file: "src/capability/own.ts",
    find: "if (error) {",
    replace: 'if (error && process.env.NODE_ENV !== "production") {',
    tests: ["test/handler/what-hosts-learn.test.ts"],
  },
  {
    name: "a row without any fact is not sold",
    file: "src/capability/define.ts",
    find: "if (definition.facts) assertFacts(definition.facts, result);",
    replace: "",
    tests: ["test/capability/facts.test.ts"],
  },
];

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), "coinslot-guards-"));
  const files = execFileSync("git", ["ls-files", "src", "test", "examples", "*.json", "*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "dir");
  return copy;
}

function runTests(copy, tests) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  // A guard that is gone may also make a test wait for ever.
  const args = [
    vitest,
    "run",
    "--typecheck.enabled=false",
    "--maxWorkers=1",
    "--bail=1",
    "--testTimeout=60000",
    "--reporter=json",
    ...tests,
  ];
  const env = { ...process.env, PROOFS: "1" };
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: "utf8", timeout: 300_000 });
  const start = stdout?.indexOf("{") ?? -1;
  if (start < 0) return { failed: ["the run did not end"] };
  const { testResults } = JSON.parse(stdout.slice(start));
  const all = testResults.flatMap(({ assertionResults, message }) => [
    ...(assertionResults.length === 0 && message ? [{ status: "failed", title: message.split("\n")[0] }] : []),
    ...assertionResults,
  ]);
  if (all.length === 0) throw new Error(`there is no test in ${tests.join(", ")}`);
  return { failed: all.filter(({ status }) => status === "failed").map(({ title }) => title), total: all.length };
}

/** The first of some worlds that falls without the guard; undefined when all live. */
function simulate(copy, more = []) {
  const script = join(copy, "test/simulator/simulate.mjs");
  const args = [script, ...more, "--seeds", values.seeds, "--jobs", "1"];
  const { stdout = "" } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", maxBuffer: 2 ** 28 });
  const [, seed, why] = /^seed (\d+): (.*)$/m.exec(stdout ?? "") ?? [];
  return seed && `seed ${seed}: ${why}`;
}

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, seeds: { type: "string", default: "0" } },
});
const chosen = GUARDS.filter(({ name }) => name.includes(values.only));
const copy = copyTree();
let unnoticed = 0;
try {
  for (const { name, file, find } of chosen)
    if (readFileSync(join(copy, file), "utf8").split(find).length !== 2)
      throw new Error(`"${name}": its code does not stand once in ${file}`);
  const whole = runTests(copy, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (whole.failed.length > 0) throw new Error(`the tests fail with every guard in place: ${whole.failed[0]}`);
  for (const { name, file, find, replace, tests, simulator } of chosen) {
    const source = readFileSync(join(copy, file), "utf8");
    writeFileSync(
      join(copy, file),
      source.replace(find, () => replace),
    );
    const { failed } = runTests(copy, tests);
    const fell = values.seeds === "0" ? undefined : simulate(copy, simulator);
    writeFileSync(join(copy, file), source);
    const caughtBy = [...failed.slice(0, 1), ...(fell ? [fell] : [])];
    if (caughtBy.length === 0) unnoticed++;
    console.log(
      `${caughtBy.length > 0 ? "noticed  " : "UNNOTICED"}  ${name}  ->  ${caughtBy.join("  |  ") || "nothing fell"}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(unnoticed === 0 ? "Every guard is proven." : `${unnoticed} guards could go without a test noticing.`);
process.exitCode = unnoticed === 0 ? 0 : 1;
