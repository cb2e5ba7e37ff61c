/** Endpoints that are told who somebody is: their input is in no address, no log and no cache. */
import { expect, test, vi } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import type { AnyCapability } from "../src/capability/types.js";
import { createHandler } from "../src/handler/handler.js";
import type { Logger } from "../src/lib/logger.js";
import { NETWORK } from "./support/shop.js";
import { TREASURY } from "./support/wallets.js";

const IDS = [
  ...["validate.tax-id", "validate.batch", "email.validate", "phone.normalize", "address.format", "payment.qr"],
  ...["invoice.read", "invoice.validate", "bank.statement", "edi.parse", "edi.edifact", "calendar.ics", "email.spf"],
  ...["text.redact", "text.similarity", "dev.jwt", "barcode.read", "data.convert", "json.repair"],
];

/** Lines of all texts of an input that are long enough to be somebody's. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? value.split(/\r?\n/).filter((line) => line.trim().length >= 8)
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test.each(IDS)("%s", async (id) => {
  const capability = (capabilities as readonly AnyCapability[]).find((one) => one.id === id);
  if (!capability) throw new Error(`no ${id}`);
  expect(capability.method).toBe("POST");
  const told: unknown[] = [];
  const tell = (...said: unknown[]) => void told.push(said);
  const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell };
  for (const name of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation(tell);
  const cache = { get: async (key: string) => void told.push(key), set: async (...kept: unknown[]) => tell(kept) };
  const host = createHandler({
    ...{ capabilities: [capability], logger, cache: cache as never, trial: { perHour: 9 } },
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: "http://127.0.0.1:9" }, rpc: false },
  });
  const send = (body: unknown, headers = {}) =>
    host(
      new Request(`https://shop.example${capability.path}`, {
        ...{ method: "POST", body: JSON.stringify(body) },
        headers: { "content-type": "application/json", ...headers },
      }),
    );
  const input = capability.example as object;
  expect((await send(input, { "x-svc-trial": "1" })).status).toBe(200);
  expect((await send({ ...input, unknown: 1 }, { "x-svc-trial": "1" })).status).toBe(400);
  expect((await send(input)).status).toBe(402);
  const texts = textsIn(input);
  expect(texts.length).toBeGreaterThan(0);
  // The calls are told of, without their input.
  expect(told.length).toBeGreaterThan(0);
  const kept = JSON.stringify(told);
  expect(texts.filter((text) => kept.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
  vi.restoreAllMocks();
  await host.close();
});
