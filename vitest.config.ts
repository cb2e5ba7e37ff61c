import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const TESTS = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts"));

/**
 * What takes long: processes that are killed, thousands of simulated worlds, days of callbacks, a browser's attackers, years of
 * holidays beside another library, codes that are read back, receivers that never end, projects that are made and started, the
 * 402s of all endpoints for every kind of host, programs of the ecosystem, the attacks on wallets' state, its topics and sign-in,
 * compilers, shells, the largest pictures, invoices of a thousand lines, the whole documentation page under a checker of
 * accessibility, and its wallets of Solana.
 */
const PROOFS = [
  "test/accounts/closing-crashes.test.ts",
  "test/accounts/invoices/invoice-crashes.test.ts",
  "test/accounts/invoices/e-invoices.test.ts",
  ...TESTS.filter((path) => /^test\/(?:proofs|simulator)\//.test(path)),
  "test/capabilities/barcode/read-every-option.test.ts",
  "test/capabilities/barcode/readback.test.ts",
  "test/capabilities/countdown/resources.test.ts",
  "test/capabilities/off-the-loop.test.ts",
  "test/cli/init.test.ts",
  "test/cli/shell.test.ts",
  "test/discovery/being-found.test.ts",
  "test/discovery/declared.test.ts",
  "test/discovery/listable.test.ts",
  "test/docs/account-page.test.ts",
  "test/docs/docs-page.test.ts",
  "test/docs/solana-wallet.test.ts",
  "test/engines/browser/attacks.test.ts",
  "test/engines/calldata/decode.test.ts",
  "test/engines/holidays/reference.test.ts",
  "test/engines/invoices/thousand-lines.test.ts",
  "test/engines/pdf-work.test.ts",
  "test/examples-agent.test.ts",
  "test/handler/ai-stream-leavers.test.ts",
  "test/handler/leases.test.ts",
  "test/handler/openai-clients.test.ts",
  "test/handler/webhook-crashes.test.ts",
  "test/handler/webhook-lines.test.ts",
  "test/jobs/job-crashes.test.ts",
  "test/mcp/approval-crashes.test.ts",
  "test/jobs/job-stores.test.ts",
  "test/lambda-bundle.test.ts",
  "test/lib/clock-changes.test.ts",
  "test/lib/threads/turns.test.ts",
  "test/drift/broken-ways.test.ts",
  "test/drift/shapes.test.ts",
  "test/local-chain/start.test.ts",
  "test/payment/channels/official-buyer.test.ts",
  "test/renamed-fields.test.ts",
  "test/state/callbacks.test.ts",
  "test/state/embedded.test.ts",
  "test/state/encryption.test.ts",
  "test/state/every-operation.test.ts",
  "test/state/faults.test.ts",
  "test/state/hanging-receivers.test.ts",
  "test/state/heavy-values.test.ts",
  "test/state/hostile-text.test.ts",
  "test/state/hostile.test.ts",
  "test/state/kill.test.ts",
  "test/state/sign-in.test.ts",
  "test/state/slow-receivers.test.ts",
  "test/state/subscriptions.test.ts",
  "test/state/topics.test.ts",
  "test/state/wallet-credit.test.ts",
  "test/state/watchers.test.ts",
];

/** Tests of more than ten seconds, which are run with the proofs, in the projects of `npm test`. */
const LONG = [
  "test/accounts/crowd.test.ts",
  "test/accounts/kept-answers.test.ts",
  "test/accounts/top-up.test.ts",
  "test/branded.test.ts",
  "test/capabilities/ai/screenshot.test.ts",
  "test/capabilities/barcode/generate.test.ts",
  "test/capabilities/calendar/ics.test.ts",
  "test/capabilities/countdown/looks.test.ts",
  "test/capabilities/html/to-markdown.test.ts",
  "test/capabilities/invoice/read.test.ts",
  "test/capabilities/json/query.test.ts",
  "test/capabilities/json/validate.test.ts",
  "test/cli/cli.test.ts",
  "test/cli/shop.test.ts",
  "test/cli/state.test.ts",
  "test/deadlines.test.ts",
  "test/declarations.test.ts",
  "test/discovery/offline-surfaces.test.ts",
  "test/dist.test.ts",
  "test/docs/docs-endpoint.test.ts",
  "test/docs/solana-transaction.test.ts",
  "test/docs/wallet.test.ts",
  "test/engines/pdf-bounds.test.ts",
  "test/engines/worker-tasks/pool.test.ts",
  "test/examples-invoice.test.ts",
  "test/examples-offline.test.ts",
  "test/examples.test.ts",
  "test/gateway/other-language.test.ts",
  "test/handler/budgets.test.ts",
  "test/handler/clocks.test.ts",
  "test/handler/live.test.ts",
  "test/handler/long-json.test.ts",
  "test/handler/payouts.test.ts",
  "test/handler/solana-refunds.test.ts",
  "test/handler/thread-time.test.ts",
  "test/licences.test.ts",
  "test/local-chain/mpp-permit2.test.ts",
  // It starts what is built, while `npm test` builds.
  "test/local-chain/npm-start.test.ts",
  "test/local-chain/permit2.test.ts",
  "test/offline.test.ts",
  "test/personal.test.ts",
  "test/readme.test.ts",
  "test/resell/resell.test.ts",
  "test/state/batch.test.ts",
  "test/state/docs.test.ts",
  "test/state/filter.test.ts",
  "test/state/limits.test.ts",
  "test/state/once.test.ts",
  "test/state/outgoing-room.test.ts",
  "test/state/paid.test.ts",
  "test/state/queue.test.ts",
  "test/state/schedule.test.ts",
  "test/state/search.test.ts",
  "test/state/sent.test.ts",
  "test/state/set-aside.test.ts",
  "test/state/vectors.test.ts",
  "test/state/watch-gate.test.ts",
  "test/state/whole.test.ts",
  "test/upstream/outbound/pinned.test.ts",
  "test/wrong-options.test.ts",
];

/** Tests of channels that take long: the proofs have them on Redis and on Postgres, where more can go wrong than in memory. */
const ON_STORES_ALONE = [
  "canary",
  "claims",
  "deposits",
  "late-refunds",
  "parked",
  "payers",
  "reorganised",
  "stream-parts",
  "vouchers",
]
  .concat("host-paid", "permit2-deposits", "two-processes", "two-services", "wallets", "webhook-crashes")
  .map((name) => `test/payment/channels/${name}.test.ts`);

/** Files whose random cases are few in `npm test`: the proofs have them whole. */
const RANDOM = TESTS.filter((path) => readFileSync(path, "utf8").includes("support/how-many.js"));

/**
 * Test files that share the modules of their process: most of their time was the same imports again. Each group has processes
 * of its own, since what one keeps for its process (clocks, breakers of upstreams) may show in a test of another.
 */
const GROUPS = {
  "shared modules":
    /^test\/(?:adapters|capabilities|capability|discovery|drift|engines|lib|mcp|payment\/(?!channels)|providers|signing|suites|tools)/,
  hosts:
    /^test\/(?:accounts|client|gateway|handler|host|jobs|live|local-chain|payment\/channels|resell|state|stores|upstream)\//,
  rules: /^test\/(?:cli\/|docs\/|[^/]+$)/,
};

/** Files in them that start threads from source, or look at what their process has loaded. */
const OWN_MODULES = [
  "adapters/direct",
  // Hono's server for Node replaces Response for its whole process.
  "adapters/exchanges",
  "adapters/hono-node-server",
  "adapters/lambda",
  "capabilities/ai/screenshot",
  // What is said of an endpoint that nobody imported.
  "capabilities/batch/",
  "capabilities/calendar/time-zones",
  "capabilities/countdown/",
  "engines/browser/",
  // The readings that pinyin-pro is given hold for its whole process.
  "engines/chinese/",
  // Its official client sends by the process' own fetch, which tests of connections replace.
  "docs/solana-transaction",
  "host/resources",
  "payment/x402/supported",
  "providers.test",
  "state/embedded",
].map((path) => `test/${path}`);

/** A module can be replaced only before another file has loaded it. */
const replacesModules = (path: string) => readFileSync(path, "utf8").includes("vi.mock(");

export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes; on a busy machine it takes its time.
  expect: { poll: { timeout: 15_000 } },
  disableConsoleIntercept: true,
  setupFiles: ["test/support/console-lines.ts"],
  // Any unhandled rejection fails the run (reliability RES-9).
  dangerouslyIgnoreUnhandledErrors: false,
};

/** Of the whole run, not of its projects: one Postgres for all of them. */
export const globalSetup = "test/support/run-postgres.ts";

/** Many tests wait for something most of the time, so more workers than processors keep these busy. Vitest caps percentages. */
const maxWorkers = availableParallelism() * 2;

/** Of files that share the modules of their process. */
export const sharing = { isolate: false, setupFiles: [...shared.setupFiles, "test/support/source-threads.ts"] };

/** A file that one project has transformed is read by the others, and by the next run. */
export const experimental = { fsModuleCache: true };

/** Projects of these files: each that needs modules of its own in one, and the groups of the others. */
function projectsOf(files: readonly string[], more: object = {}) {
  const isAlone = (path: string) => OWN_MODULES.some((own) => path.startsWith(own)) || replacesModules(path);
  const project = (name: string, include: string[], how: object = {}) => ({
    test: { ...shared, ...more, name, include, ...how },
  });
  const grouped = files.filter((path) => !isAlone(path));
  const groups = Object.entries(GROUPS).map(([name, paths]) =>
    project(
      name,
      grouped.filter((path) => paths.test(path)),
      sharing,
    ),
  );
  const inGroups = new Set(groups.flatMap(({ test }) => test.include));
  return [
    project(
      "own modules",
      files.filter((path) => !inGroups.has(path)),
    ),
    ...groups,
  ].filter(({ test }) => test.include.length > 0);
}

/** Proofs that can share the modules of their process with other tests of hosts. */
const SHARING_PROOFS = PROOFS.filter((path) => GROUPS.hosts.test(path));
export const OTHER_PROOFS = PROOFS.filter((path) => !SHARING_PROOFS.includes(path));

/** CI runs other things beside the proofs. */
export const patient = { testTimeout: 120_000, hookTimeout: 120_000 };

export const longProjects = projectsOf([...LONG, ...RANDOM, ...SHARING_PROOFS], { env: { PROOFS: "1" }, ...patient });

// Whoever names a proof by its file says PROOFS=1.
const elsewhere = process.env.PROOFS ? [] : [...PROOFS, ...LONG, ...ON_STORES_ALONE];
const here = TESTS.filter((path) => !path.startsWith("test/bench/") && !elsewhere.includes(path));

export default defineConfig({ test: { globalSetup, maxWorkers, experimental, projects: projectsOf(here) } });
