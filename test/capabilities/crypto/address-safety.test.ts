import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cryptoAddressSafety } from "../../../src/capabilities/crypto/address-safety.js";
import { RISKS } from "../../../src/providers/goplus/address.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const ADDRESS = "0x6D8c070338eC3d297f1D0ECEEA296bd7E13a32b9";
const CLEAN = {
  ...Object.fromEntries(RISKS.map((risk) => [risk, "0"])),
  contract_address: "0",
  number_of_malicious_contracts_created: "0",
  data_source: "",
};
const report = (more: object = {}, code = 1) => ({ code, message: "ok", result: { ...CLEAN, ...more } });

function open(exchanges: Exchange[], secrets = {}) {
  const fake = fakeUpstream(exchanges);
  const clock = () => new Date("2026-05-01T10:07:31Z");
  const ask = () =>
    cryptoAddressSafety({ chainId: "1", address: ADDRESS }, { fetch: fake.fetch, cache: false, secrets, clock });
  return { ...fake, ask };
}

describe("crypto.address-safety", () => {
  it("names the risks that are known of an address, and who reported them", async () => {
    const body = report({ phishing_activities: "1", blacklist_doubt: "1", data_source: "SlowMist, BlockSec,GoPlus" });
    const { ask, seen } = open([{ url: `/address_security/${ADDRESS}`, body }]);
    const { items, meta } = await ask();
    expect(items[0]).toMatchObject({
      address: ADDRESS,
      chainId: "1",
      malicious: true,
      hitCount: 2,
      flags: ["blacklist_doubt", "phishing_activities"],
      risks: { phishing_activities: true, mixer: false },
      isContract: false,
      maliciousContractsCreated: 0,
      sources: ["SlowMist", "BlockSec", "GoPlus"],
    });
    expect(seen[0]?.url.searchParams.get("chain_id")).toBe("1");
    expect(meta?.note).toMatch(/not therefore safe/);
  });

  it("calls one that made malicious contracts malicious, and a contract as such no risk", async () => {
    const made = open([{ url: "goplus", body: report({ number_of_malicious_contracts_created: "3" }) }]);
    expect((await made.ask()).items[0]).toMatchObject({ malicious: true, hitCount: 0, maliciousContractsCreated: 3 });
    const contract = open([{ url: "goplus", body: report({ contract_address: "1" }) }]);
    expect((await contract.ask()).items[0]).toMatchObject({ malicious: false, isContract: true });
    const unknown = open([{ url: "goplus", body: report({ contract_address: "-1" }) }]);
    expect((await unknown.ask()).items[0]).toMatchObject({ isContract: null });
  });

  it("says nothing of flags that an older answer lacks", async () => {
    const { ask } = open([{ url: "goplus", body: report({ fake_token: undefined }) }]);
    expect((await ask()).items[0]?.risks).toMatchObject({ fake_token: null, mixer: false });
  });

  it.each([
    ["without any flag", { code: 1, result: { data_source: "GoPlus" } }, "UPSTREAM_SCHEMA"],
    ["without a result", { code: 1, message: "ok", result: null }, "UPSTREAM_SCHEMA"],
    ["of a fault", { code: 5000, message: "system error", result: null }, "UPSTREAM_ERROR"],
    ["of too many requests", { code: 4029, message: "limit", result: null }, "UPSTREAM_RATE_LIMIT"],
    ["of a chain that it does not know", { code: 2018, message: "chain", result: null }, "INVALID_INPUT"],
    ["of a key that it does not take", { code: 4012, message: "sign", result: null }, "PROVIDER_NOT_CONFIGURED"],
  ])("never calls an address clean by an answer %s", async (_, body, code) => {
    await expect(open([{ url: "goplus", body }]).ask()).rejects.toMatchObject({ code });
  });

  it("says so when some of GoPlus's sources did not answer", async () => {
    const { ask } = open([{ url: "goplus", body: report({ mixer: "1" }, 2) }]);
    expect(await ask()).toMatchObject({ items: [{ malicious: true }], meta: { partial: true } });
  });

  it("signs for a token where the host has a key, with a time that GoPlus still takes", async () => {
    const { ask, seen } = open(
      [
        { url: "/token", body: { code: 1, result: { access_token: "Bearer abc", expires_in: 7200 } } },
        { url: "/address_security/", body: report() },
      ],
      { GOPLUS_APP_KEY: "key", GOPLUS_APP_SECRET: "secret" },
    );
    await ask();
    const { app_key, sign, time } = JSON.parse(seen[0]?.body ?? "");
    expect(app_key).toBe("key");
    expect(time).toBe(Date.parse("2026-05-01T10:00:00Z") / 1000);
    expect(sign).toBe(createHash("sha1").update(`key${time}secret`).digest("hex"));
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer abc");
  });
});
