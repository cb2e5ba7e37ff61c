// Takes each guard of the payment path away, one at a time, in a copy of the tree, and runs the tests over it: a guard
// whose removal no test notices is not proven. Ends with status 1 if there is one. `--only <text>` picks some by name.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PAYMENT = ["test/handler/payment.test.ts", "test/handler/settlement.test.ts"];
const USAGE = ["test/handler/usage.test.ts", "test/handler/settle-first.test.ts"];
const TRIAL = ["test/handler/trial.test.ts"];
const ORDER = ["test/handler/order.test.ts"];

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
    tests: PAYMENT,
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
    find: "if (key !== keyOf(purchase.id) && !(await records.bind(purchase.id, key))) return undefined;",
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
    find: "if (before) return before;",
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
    find: "answer.payer && !sameAccount(requirements.network, answer.payer, payer)",
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
    find: "ifVersion: found?.version ?? 0",
    replace: "ifVersion: (await store.get(key))?.version ?? 0",
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
    find: "if (!(await spend(counters))) {",
    replace: "if (false) {",
    tests: TRIAL,
  },
  {
    name: "bodies are read up to the cap",
    file: "src/request/input.ts",
    find: "if (size > maxBytes) throw tooLarge();",
    replace: "if (size > maxBytes * 100) throw tooLarge();",
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
];

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), "coinslot-guards-"));
  const files = execFileSync("git", ["ls-files", "src", "test", "*.json", "*.ts"], { cwd: root, encoding: "utf8" });
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
  const args = [vitest, "run", "--typecheck=false", "--bail=1", "--testTimeout=20000", "--reporter=json", ...tests];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", timeout: 120_000 });
  const start = stdout?.indexOf("{") ?? -1;
  if (start < 0) return { failed: ["the run did not end"] };
  const { testResults } = JSON.parse(stdout.slice(start));
  const all = testResults.flatMap(({ assertionResults, message }) => [
    ...(assertionResults.length === 0 && message ? [{ status: "failed", title: message.split("\n")[0] }] : []),
    ...assertionResults,
  ]);
  return { failed: all.filter(({ status }) => status === "failed").map(({ title }) => title), total: all.length };
}

const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : "";
const copy = copyTree();
let unnoticed = 0;
try {
  const whole = runTests(copy, [...new Set(GUARDS.flatMap(({ tests }) => tests))]);
  if (whole.failed.length > 0) throw new Error(`the tests fail with every guard in place: ${whole.failed[0]}`);
  for (const { name, file, find, replace, tests } of GUARDS.filter((guard) => guard.name.includes(only))) {
    const source = readFileSync(join(root, file), "utf8");
    if (!source.includes(find)) throw new Error(`"${name}": its code is not in ${file} any more`);
    writeFileSync(
      join(copy, file),
      source.replace(find, () => replace),
    );
    const { failed } = runTests(copy, tests);
    writeFileSync(join(copy, file), source);
    if (failed.length === 0) unnoticed++;
    console.log(`${failed.length > 0 ? "noticed  " : "UNNOTICED"}  ${name}  ->  ${failed[0] ?? "no test failed"}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(unnoticed === 0 ? "Every guard is proven." : `${unnoticed} guards could go without a test noticing.`);
process.exitCode = unnoticed === 0 ? 0 : 1;
