import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { RISKS, readAddressReport } from "../../providers/goplus/address.js";
import { goplus } from "../../providers/goplus/provider.js";
import { evmAddress } from "./_evm.js";

const NOTE = "An address that is not listed is not therefore safe.";

export const cryptoAddressSafety = /* @__PURE__ */ defineCapability({
  id: "crypto.address-safety",
  summary:
    "Risk report on an EVM address: phishing, theft, mixers, honeypots, sanctions and other flags, with a verdict.",
  keywords: ["scam check", "malicious address", "phishing", "wallet risk", "fraud", "goplus", "blacklist", "aml"],
  price: "0.002",
  provider: goplus,
  input: () =>
    z.strictObject({
      chainId: z
        .string()
        .regex(/^\d{1,20}$/, { error: "must be a chain's number, such as 1 for Ethereum or 8453 for Base" })
        .describe("The chain by its EIP-155 number, such as 1, 56, 137, 8453 or 42161"),
      address: evmAddress().describe("The account or contract"),
    }),
  output: one(() =>
    z.object({
      address: z.string(),
      chainId: z.string(),
      malicious: z.boolean().describe("Whether any risk is known of it, or it created a malicious contract"),
      hitCount: z.int().describe("How many of the risks are known of it"),
      flags: z.array(z.enum(RISKS)).describe("Those risks, sorted"),
      risks: z
        .record(z.enum(RISKS), z.boolean().nullable())
        .describe("Every risk: whether it is known of the address; null where nothing is said of it"),
      isContract: z.boolean().nullable(),
      maliciousContractsCreated: z.int(),
      sources: z.array(z.string()).describe("Who reported it to GoPlus"),
    }),
  ),
  example: { chainId: "1", address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" },
  async run({ chainId, address }, ctx) {
    const { partial, ...report } = await readAddressReport(ctx, { chainId, address });
    const flags = RISKS.filter((risk) => report[risk] === true);
    const maliciousContractsCreated = report.number_of_malicious_contracts_created ?? 0;
    return {
      item: {
        address,
        chainId,
        malicious: flags.length > 0 || maliciousContractsCreated > 0,
        hitCount: flags.length,
        flags,
        risks: Object.fromEntries(RISKS.map((risk) => [risk, report[risk]])) as Record<
          (typeof RISKS)[number],
          boolean | null
        >,
        isContract: report.contract_address,
        maliciousContractsCreated,
        sources: (report.data_source ?? "")
          .split(",")
          .map((source) => source.trim())
          .filter(Boolean),
      },
      meta: { note: NOTE, ...(partial ? { partial } : {}) },
    };
  },
});
