/** The page of a customer, which a key or a wallet's sign-in opens. It carries nothing of any account. */
import { DEFAULT_DESCRIPTION } from "../discovery/guidance.js";
import type { Catalogue } from "../host/catalogue.js";
import { settingsOf } from "./page.js";
import { htmlPage } from "./shell.js";

export interface AccountPageFacts {
  /** Whether a bought balance is lost when the account is closed. */
  forfeits: boolean;
}

/** `base` is the public path of the base path. */
export function accountPage(catalogue: Catalogue, base: string, { forfeits }: AccountPageFacts): string {
  const { brand, networks, docs, ownSignIn } = catalogue;
  const groups = [...new Set(catalogue.capabilities.flatMap(({ group, ownersOnly }) => (ownersOnly ? [] : [group])))];
  const invoices = catalogue.capabilities.some(({ id }) => id === "account.invoices");
  const signsIn = (family: string) => ownSignIn && networks.some((network) => network.startsWith(family));
  return htmlPage({
    brand: { ...brand, description: brand.description ?? DEFAULT_DESCRIPTION },
    base,
    title: `Your account · ${brand.name}`,
    main: "<noscript><p>This page needs JavaScript; the same is at the endpoints of the account.</p></noscript>",
    footer: docs ? `<a href="${base}/docs">All endpoints</a>` : "",
    settings: {
      ...settingsOf(catalogue, base),
      endpoints: [],
      ownSignIn: signsIn("eip155:"),
      solanaSignIn: signsIn("solana:"),
      forfeits,
      invoices,
      groups,
    },
    script: `${base}/docs/account.js`,
  });
}
