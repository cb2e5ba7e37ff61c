/**
 * The conformance suite of the Machine Payments Protocol against our reading and writing of its headers. `MPP_VECTORS` names
 * a folder with the suite's own files (conformance/vectors of tempoxyz/mpp-tools), which run then as well.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Challenge } from "mppx";
import { describe, expect, it } from "vitest";
import {
  credentialIn,
  decodeText,
  encodeJson,
  encodeText,
  formatCredential,
  formatParameters,
  type Challenge as OurChallenge,
  type Credential as OurCredential,
  readChallenges,
  readCredentialText,
  readReceipt,
} from "../../../src/payment/mpp/wire.js";
import { openShop } from "../../support/shop.js";
import { authorization, base64url, receipts, type Scenario, wwwAuthenticate } from "./scenarios.js";

interface Adapter {
  /** Undefined for what is refused. */
  parse(wire: string): unknown;
  /** Throws for what cannot be sent. */
  format(object: unknown): string;
}

const adapters: Record<string, Adapter> = {
  "www-authenticate": {
    parse: (wire) => readChallenges(wire)?.[0],
    format: (object) => {
      const { request, ...rest } = object as OurChallenge;
      const { id, realm, method, intent, ...others } = rest;
      const first = { id, realm, method, intent, request: encodeJson(request) };
      return `Payment ${formatParameters({ ...first, ...(others as Record<string, string>) })}`;
    },
  },
  authorization: {
    parse: (wire) => {
      const text = credentialIn(wire);
      return text === undefined ? undefined : readCredentialText(text);
    },
    format: (object) => formatCredential(object as OurCredential),
  },
  receipt: { parse: readReceipt, format: encodeJson },
  base64url: { parse: decodeText, format: (text) => encodeText(String(text)) },
};

function run(adapter: Adapter, { object, wire, decoded, encoded, tests }: Scenario): void {
  const [value, text] = [object ?? decoded, wire ?? encoded ?? ""];
  if (tests.parse) expect(adapter.parse(text)).toEqual(tests.parse === true ? value : undefined);
  if (tests.format === true) expect(adapter.parse(adapter.format(value))).toEqual(value);
  else if (tests.format) expect(() => adapter.format(value)).toThrow(TypeError);
  if (tests.roundtrip && text !== "") expect(adapter.parse(text)).toEqual(value);
}

describe.each([
  ["www-authenticate", wwwAuthenticate],
  ["authorization", authorization],
  ["receipt", receipts],
  ["base64url", base64url],
])("%s", (name, scenarios) => {
  const adapter = adapters[name];
  if (!adapter) throw new Error(name);
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", (_, scenario) => {
    run(adapter, scenario);
  });
});

it("a challenge and a credential of the official library read the same in ours, and ours in it", () => {
  for (const { object, tests } of wwwAuthenticate) {
    if (!object || tests.format !== true) continue;
    const ours = adapters["www-authenticate"]?.format(object) ?? "";
    expect(Challenge.deserialize(ours)).toEqual(object);
  }
});

/**
 * The suite's ids are an HMAC of a challenge's content alone. The binding is left to implementations, and ours has a random
 * half: an authorization's nonce is the hash of the id, so two buyers of one second would else sign the same nonce's challenge.
 */
it("challenge-id: ids are ours to choose, bind all parameters, and are another one each time", async () => {
  const shop = openShop();
  const ids = new Set<string>();
  for (let i = 0; i < 40; i++) ids.add(Challenge.fromResponse(await shop.get("/test/work?n=1")).id);
  expect(ids.size).toBe(40);
});

const folder = process.env.MPP_VECTORS;
describe.runIf(folder)("the suite's own files", () => {
  const files = folder ? readdirSync(folder).filter((name) => name.replace(".json", "") in adapters) : [];
  const all = files.flatMap((file) => {
    const { scenarios } = JSON.parse(readFileSync(join(folder ?? "", file), "utf8")) as { scenarios: Scenario[] };
    const adapter = adapters[file.replace(".json", "")];
    return adapter ? scenarios.map((scenario) => [`${file}: ${scenario.name}`, adapter, scenario] as const) : [];
  });
  it.each(all)("%s", (_, adapter, scenario) => {
    const { wire } = scenario as unknown as { wire?: string | { prefix: string; repeat: string; count: number } };
    const text = typeof wire === "object" ? wire.prefix + wire.repeat.repeat(wire.count) : wire;
    run(adapter, text === undefined ? scenario : { ...scenario, wire: text });
  });
});
