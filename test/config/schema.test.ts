/** The schema by which editors help to write a configuration file. */
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { FILE_OPTIONS } from "../../src/cli/config/host-file.js";
import { handlerOptions } from "../../src/host/option-checks.js";
import { configSchema } from "../support/render-config-schema.js";
import { pathFromRoot } from "../support/render-indexes.js";

const FILE = pathFromRoot("deploy/coinslot.schema.json");

it("is that of the options' types", async () => {
  await expect(configSchema()).toMatchFileSnapshot(FILE);
});

const schema = JSON.parse(configSchema()) as { properties: Record<string, { description?: string }> };
const validate = new Ajv({ strict: false }).compile(schema);

it("has each option that a file may have, with what it does", () => {
  const inCode = ["fetch", "clock", "logger", "onCall", "onDrift", "policy"];
  const known = [...new Set([...Object.keys(handlerOptions.members ?? {}), ...Object.keys(FILE_OPTIONS)])];
  expect(Object.keys(schema.properties)).toEqual(known.filter((name) => !inCode.includes(name)).sort());
});

it("takes what serve takes, and refuses what is misspelt or of the wrong kind", () => {
  const right = parse(`
brand: { name: Acme, slug: Acme, contact: { email: { env: MAIL } } }
capabilities: [convert]
pricing: { markup: 1.2, overrides: { convert.unit: "0.002" } }
payment:
  treasury: { "eip155:8453": "0x1" }
  facilitator: { url: https://f.example, headers: { authorization: { file: key.txt } } }
  refunds: { "eip155:8453": { privateKey: { env: REFUND_KEY } } }
  channels: { signer: { privateKey: { env: CLAIM_KEY } } }
trial: false
metrics: { port: 9464 }
wallets: { db: store }
accounts: { keys: true, topUp: { minUsd: "1" } }
webhooks: [{ url: https://h.example, secret: { env: HOOK }, events: [sale] }]
stopped: { convert.unit: Later. }
`);
  validate(right);
  expect(validate.errors ?? []).toEqual([]);
  for (const wrong of [
    "brnd: {}",
    "brand: { nmae: A }",
    "trial: 1",
    "pricing: { markup: many }",
    "policy: x",
    "webhooks: [{ events: [sales] }]",
  ])
    expect([wrong, validate(parse(wrong))]).toEqual([wrong, false]);
});
