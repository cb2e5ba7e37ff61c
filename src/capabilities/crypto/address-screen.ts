import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CURRENCIES, readAddressLists } from "../../providers/ofac/digital-currency.js";
import { ofacAddresses } from "../../providers/ofac/provider.js";

const currency = () => z.enum(CURRENCIES);

export const cryptoAddressScreen = /* @__PURE__ */ defineCapability({
  id: "crypto.address-screen",
  summary:
    "Whether a crypto address of any chain stands on the US sanctions list (OFAC SDN): an exact match, whatever the case.",
  keywords: ["ofac", "sanctions", "sdn", "compliance", "aml", "kyt", "blocked address", "tornado cash"],
  price: "0.002",
  provider: ofacAddresses,
  input: () => z.strictObject({ address: words(8, 120).describe("The address, of any chain") }),
  output: one(() =>
    z.object({
      address: z.string().describe("As given"),
      sanctioned: z.boolean(),
      currencies: z.array(currency()).describe("OFAC's tickers of the lists that it stands on, sorted; XBT is Bitcoin"),
      matches: z.array(z.object({ currency: currency(), address: z.string(), list: z.literal("OFAC SDN") })),
    }),
  ),
  example: { address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" },
  async run({ address }, ctx) {
    const { listed, missing, failure } = await readAddressLists(ctx);
    const asked = toKey(address);
    const matches = listed.filter((entry) => toKey(entry.address) === asked);
    // A match counts even if a list is missing, but an address is cleared only by complete lists.
    if (matches.length === 0 && failure !== undefined) throw failure;
    return {
      item: {
        address,
        sanctioned: matches.length > 0,
        currencies: [...new Set(matches.map(({ currency }) => currency))].sort(),
        matches: matches.map((match) => ({ ...match, list: "OFAC SDN" as const })),
      },
      meta: {
        listSize: listed.length,
        lists: CURRENCIES.length - missing.length,
        ...(missing.length > 0 ? { missingLists: missing } : {}),
        ...(failure === undefined ? {} : { partial: true }),
      },
    };
  },
});

/** Bitcoin Cash addresses occur with and without their prefix. */
const toKey = (address: string) => address.toLowerCase().replace(/^bitcoincash:/, "");
