import { describe, expect, test } from "vitest";
import { z } from "zod";
import { capabilities } from "../src/capabilities/index.js";
import { defineCapability } from "../src/capability/define.js";
import { rows } from "../src/capability/output.js";
import { defineProvider } from "../src/capability/provider.js";
import type { AnyCapability } from "../src/capability/types.js";
import { CapabilityError, type ErrorCode } from "../src/errors.js";
import { upstream } from "../src/upstream/client.js";
import {
  faultsOf,
  OUTAGES,
  type Outage,
  type Outcome,
  runDuring,
  type Secrets,
  saysNothingFound,
} from "./support/outages.js";
import { readProviders } from "./support/providers.js";
import { capabilityFiles } from "./support/render-indexes.js";
import { OPEN_TERMS } from "./support/terms.js";

type Meaning = { means: "nothing found" | "half an answer" | ErrorCode; because: string };

const NO_REPORT: Meaning = { means: "nothing found", because: "no report is a 204, and at times a 200 without bytes" };
const NO_KEY: Meaning = {
  means: "PROVIDER_NOT_CONFIGURED",
  because: "who has no valid key is redirected to a page on keys",
};

const WORDS: Meaning = { means: "half an answer", because: "the data's own words are worth their price without names" };

/** What looks broken and is an upstream's own way to say something else. */
const EXCEPTIONS: Record<string, Record<string, Meaning>> = {
  "aviation.metar": { "answers nothing": NO_REPORT },
  "aviation.sigmet": { "answers nothing": NO_REPORT },
  "aviation.taf": { "answers nothing": NO_REPORT },
  "census.demographics": { "redirects to a private host": NO_KEY },
  // Who leaves before the databases have failed gets nothing.
  "crypto.decode-calldata": Object.fromEntries(
    OUTAGES.filter(({ deadlineMs }) => !deadlineMs).map(({ what }) => [what, WORDS]),
  ),
  "census.zipcode": { "redirects to a private host": NO_KEY },
};

const providers = await readProviders();
/** Every key is set, so that nothing is refused for want of one, and none may come back to a caller. */
const secrets: Secrets = Object.fromEntries(
  [
    ...providers.flatMap(({ secret }) => (secret ? [secret.name] : [])),
    ...providers.flatMap(({ settings = [] }) => settings.flatMap(({ name, keyUrl }) => (keyUrl ? [name] : []))),
    ...capabilities.flatMap(({ requires }) => requires),
    // A browser goes past the injected fetch, and so it must find none.
    "CHROMIUM_PATH",
  ].map((name) => [name, `canary-of-${name}`]),
);

/** All at once: most of an outage is waiting for the next attempt. */
const examined = new Map(
  (capabilities as readonly AnyCapability[]).map((capability) => [capability.id, examine(capability)]),
);
const ofProviders = new Set(providers.map(({ name }) => name));
const asking: string[] = [];
for (const capability of capabilities as readonly AnyCapability[]) {
  const { id, source } = capability;
  // On a busy machine a call's time may be over before it has asked: such a one is tried again, alone.
  if (!(await examined.get(id)) && ofProviders.has(source.provider)) examined.set(id, examine(capability));
  if (await examined.get(id)) asking.push(id);
}

/** Undefined for a capability that asks nobody. */
async function examine(capability: AnyCapability): Promise<Map<string, Outcome> | undefined> {
  const [first, ...others] = OUTAGES;
  if (!first) return undefined;
  const outcome = await runDuring(capability, first, secrets);
  if (outcome.requests.length === 0) return undefined;
  const outcomes = others.map(async (outage) => [outage.what, await runDuring(capability, outage, secrets)] as const);
  return new Map([[first.what, outcome], ...(await Promise.all(outcomes))]);
}

const withCode = (outage: Outage, code: ErrorCode | undefined): Outage =>
  code ? { ...outage, codes: [code] } : outage;

describe.each(asking)("UP-1, UP-2, UP-3 %s with an upstream", (id) => {
  test.each(OUTAGES)("that $what", async (outage) => {
    const outcome = (await examined.get(id))?.get(outage.what) ?? { requests: [], download: false };
    const exception = EXCEPTIONS[id]?.[outage.what];
    if (exception?.means === "nothing found") return expect(saysNothingFound(outcome), exception.because).toBe(true);
    if (exception?.means === "half an answer")
      return expect(outcome.result, exception.because).toMatchObject({ meta: { databaseError: true } });
    expect(faultsOf(outcome, withCode(outage, exception?.means), secrets), exception?.because).toEqual([]);
  });
});

test("a capability whose results come from a provider asks it through the injected fetch", () => {
  const fromProvider = capabilities.filter(({ source }) => ofProviders.has(source.provider)).map(({ id }) => id);
  expect(fromProvider.length).toBeGreaterThan(0);
  expect(asking).toEqual(expect.arrayContaining(fromProvider));
});

test("exceptions are of capabilities and outages that exist", () => {
  const ids = capabilityFiles().map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
  const known = OUTAGES.map(({ what }) => what);
  expect(known).toEqual(expect.arrayContaining(Object.values(EXCEPTIONS).flatMap(Object.keys)));
});

describe("these checks see", () => {
  const provider = defineProvider({
    name: "Faulty",
    url: "https://x.example",
    license: "MIT",
    terms: OPEN_TERMS,
    baseUrl: "https://x.example",
  });
  /** A capability that makes something of its upstream's answer or failure that it should not. */
  const faulty = (treat: (ask: () => Promise<unknown>) => Promise<unknown[]>) =>
    defineCapability({
      id: "test.faulty",
      summary: "Treats its upstream's failures wrongly.",
      price: "0.001",
      provider,
      input: () => z.strictObject({}),
      output: rows(z.unknown()),
      example: {},
      async run(_, ctx) {
        const items = await treat(() => upstream(ctx, provider).get("/", { schema: z.unknown() }));
        return { items, total: items.length };
      },
    });
  const failing = (toError: (cause: unknown) => unknown) =>
    faulty(async (ask) => {
      await ask().catch((cause) => Promise.reject(toError(cause)));
      return [];
    });
  const causeOf = (error: unknown) => String((error as Error).cause);

  test.concurrent.each<[string, AnyCapability, string]>([
    [
      "a failure sold as an empty list",
      faulty((ask) =>
        ask().then(
          () => [],
          () => [],
        ),
      ),
      "was sold",
    ],
    ["renamed fields sold as a row of nulls", faulty((ask) => ask().then(() => [{ value: null }])), "was sold"],
    ["a capability that asks nobody", faulty(async () => []), "asked nobody"],
    ["an error that is no CapabilityError", failing(() => new TypeError("x is no function")), "a bare TypeError"],
    ["a failure blamed on the caller", failing(() => new CapabilityError("INVALID_INPUT", "no")), "INVALID_INPUT"],
    ["a failure called our own fault", failing(() => new CapabilityError("INTERNAL", "no")), "INTERNAL"],
    ["a library's words", failing((error) => new CapabilityError("UPSTREAM_ERROR", causeOf(error))), "fetch failed"],
    [
      "a key in a message",
      failing(() => new CapabilityError("UPSTREAM_ERROR", Object.values(secrets).join())),
      "tells ",
    ],
  ])("%s", async (_, capability, fault) => {
    const found = OUTAGES.map(async (outage) =>
      faultsOf(await runDuring(capability, outage, secrets), outage, secrets),
    );
    expect((await Promise.all(found)).flat().join("\n")).toContain(fault);
  });
});
