/** docs/terms.md: whose data it is, and what its terms say to who sells it on. */
import { type Origin, type Resale, type Terms, termsOf } from "../../src/capability/terms.js";
import type { AnyCapability, Settings } from "../../src/capability/types.js";
import * as packaged from "../../src/providers/packaged/provider.js";
import { readProviders } from "./providers.js";

/** What a host may set that changes whose data it sells. */
const CHOICES: readonly Record<string, string>[] = [
  {},
  { AIRCRAFT_SOURCE: "opensky-csv" },
  { AIRCRAFT_SOURCE: "adsbdb" },
  { COUNTRY_RISK_SOURCE: "damodaran" },
];
const ORDER: readonly Resale[] = ["forbidden", "limited", "unknown", "share-alike", "allowed"];

/** Every provider, and every data set that comes in a package. */
export const readOrigins = async (): Promise<Origin[]> => [...(await readProviders()), ...Object.values(packaged)];

function settingsOf(values: Readonly<Record<string, string>>): Settings {
  const setting = (name: string) => values[name];
  return { secret: setting, setting };
}

/** The same terms under several names, such as a second address, are one row. */
export function rowsOf(origins: readonly Origin[], capabilities: readonly AnyCapability[]) {
  const rows = [...new Set(origins.map(({ terms }) => terms))].map((terms) => ({
    terms,
    names: [...new Set(origins.filter((one) => one.terms === terms).map(({ name }) => name))],
    ids: capabilities.filter((one) => asksFor(one, terms)).map(({ id }) => id),
  }));
  const rank = ({ terms, names }: (typeof rows)[number]) => `${ORDER.indexOf(terms.resale)} ${names[0]?.toLowerCase()}`;
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const asksFor = (capability: AnyCapability, terms: Terms): boolean =>
  CHOICES.some((choice) => capability.originsAt(settingsOf(choice)).some((origin) => origin.terms === terms));

export function renderTerms(origins: readonly Origin[], capabilities: readonly AnyCapability[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = rowsOf(origins, capabilities).map(({ terms, names, ids }) => {
    const { resale, attribution, note, url, checkedAt } = terms;
    const endpoints = ids.map((id) => `\`${id}\``).join(", ");
    const cells = [names.join(", "), resale, `${note} [Terms](${url})`, attribution ?? "", checkedAt ?? "", endpoints];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  const own = capabilities.filter((one) => !termsOf(one.originsAt(settingsOf({}))) && one.source.url !== "");
  return `<!-- Generated: npx vitest run test/generated.test.ts -u -->

# Whose data it is

Who sells an endpoint sells what its sources say, and each has its terms. Nothing is switched off by them: the host decides.
The same facts stand in each row of the directory as \`terms\`, in the OpenAPI document, in \`coinslot describe\`, and on the
documentation page; \`coinslot doctor\` warns of what the keys of a host would sell although its source forbids it.

- **allowed**: answers may be sold, with the line of the fourth column where there is one.
- **share-alike**: they may, and a data set made of them is to be offered under the same licence.
- **limited**: they may under the conditions that stand beside it.
- **forbidden**: not without an agreement with the source, or a plan that the host buys there.
- **unknown**: no published words are known that say either.

The line that a licence wants beside the data is in every answer as \`source.attribution\`. The fifth column has the day on
which a row was compared with the published words; where it is empty nobody has, and the link is where to look. None of this
is legal advice.

| source | resale | what its terms say | line to show | compared | endpoints |
| --- | --- | --- | --- | --- | --- |
${lines.join("\n")}

Nobody is asked by ${own.map(({ id }) => `\`${id}\``).join(", ")}: code and tables under the licences of each
result's \`source\`.
`;
}
