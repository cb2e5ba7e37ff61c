import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { normalizeName, type Records, resolveName, reverseName } from "../../providers/evm/ens.js";
import { evmNodes } from "../../providers/evm/provider.js";
import { isEvmAddress, withChecksum } from "./_evm.js";

const KEYS = ["avatar", "email", "url", "com.twitter", "com.github", "description"] as const;
const record = () => z.string().nullable();

export const cryptoEnsResolve = /* @__PURE__ */ defineCapability({
  id: "crypto.ens-resolve",
  summary: "Resolve an ENS name to its Ethereum address or an address to its primary name, with the profile's records.",
  keywords: ["ens", "ethereum name service", ".eth", "reverse lookup", "avatar", "web3 name", "primary name"],
  price: "0.001",
  provider: evmNodes,
  input: () =>
    z.strictObject({
      // Not trimmed, because a blank at the edge makes an invalid name.
      query: text(3, 255).describe("A name such as vitalik.eth, or an address of 0x and 40 hex digits"),
    }),
  output: one(() =>
    z.object({
      query: z.string(),
      type: z.enum(["name", "address"]).describe("What was given"),
      name: z.string().nullable().describe("Normalised; null for an address without a primary name of its own"),
      address: z.string().nullable().describe("Null for a name that is not set"),
      resolver: z.string().nullable().describe("The contract that answers for the name"),
      records: z
        .object({
          avatar: record().describe("As stored: it may be an https, ipfs or eip155 address"),
          email: record(),
          url: record(),
          twitter: record(),
          github: record(),
          description: record(),
        })
        .nullable()
        .describe("What the name's owner wrote; null for an address without a name"),
    }),
  ),
  packages: ["viem"],
  example: { query: "vitalik.eth" },
  async read({ query }) {
    if (isEvmAddress(query)) return { query, type: "address" as const, asked: await withChecksum(query) };
    const name = await normalizeName(query);
    if (!name) throw invalid("query", "must be a name as ENS writes them (ENSIP-15), or 0x and 40 hexadecimal digits");
    return { query, type: "name" as const, asked: name };
  },
  async run({ query, type, asked }, ctx) {
    const found =
      type === "address"
        ? { address: asked, ...(await reverseName(ctx, asked, KEYS)) }
        : { name: asked, ...(await resolveName(ctx, asked, KEYS)) };
    const { name, address, resolver, records } = found;
    return {
      item: { query, type, name, address, resolver, records: records && toProfile(records) },
      source: {
        provider: "ENS",
        url: `https://app.ens.domains/${encodeURIComponent(name ?? asked)}`,
        license: evmNodes.license,
      },
    };
  },
});

const toProfile = ({ "com.twitter": twitter, "com.github": github, ...records }: Records<(typeof KEYS)[number]>) => ({
  ...records,
  twitter,
  github,
});
