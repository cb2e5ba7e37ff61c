import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, offset, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { invalid } from "../../errors.js";
import { colorado, connecticut, newYork } from "../../providers/socrata/provider.js";
import { withoutWildcards } from "../../providers/socrata/soql.js";
import {
  countRegistry,
  type RegistrySearch,
  registryDataset,
  searchRegistry,
} from "../../providers/state-registries/provider.js";
import { registrationSchema, STATES } from "../../providers/state-registries/registration.js";
import { optional } from "../../upstream/optional.js";

export const businessSosSearch = /* @__PURE__ */ defineCapability({
  id: "business.sos-search",
  summary: "Search the business registers of New York, Colorado and Connecticut by name or id, in one schema.",
  keywords: ["secretary of state", "llc", "corporation", "registered agent", "kyb", "company search", "good standing"],
  price: "0.00288",
  origins: [newYork, colorado, connecticut],
  source: {
    provider: "State business registers of New York, Colorado and Connecticut",
    url: "https://data.ny.gov/d/n9v6-gdp6",
    license: "Open NY terms; public domain (Colorado, Connecticut)",
  },
  input: () =>
    z.strictObject({
      state: z.enum(STATES).describe("Whose register"),
      name: text(2, 120).optional().describe("Name of the entity, or a part of it"),
      entityId: text(2, 30)
        .optional()
        .describe("DOS id in New York, entity id in Colorado, account number or id in Connecticut; wins over name"),
      limit: limit(10, 100).describe("How many entities to return"),
      offset: offset(100_000).describe("How many matches to skip"),
    }),
  output: rows(registrationSchema),
  example: { state: "NY", name: "barnes & noble" },
  read({ state, name = "", entityId, limit, offset }) {
    const id = entityId?.trim();
    if (id) return { state, search: { entityId: id } satisfies RegistrySearch, limit, offset };
    const words = withoutWildcards(name);
    if (words.length < 2)
      throw invalid("", "give an entityId, or a name of at least two characters other than % and _");
    return { state, search: { name: words } satisfies RegistrySearch, limit, offset };
  },
  async run({ state, search, limit, offset }, ctx) {
    const { portal, id: dataset } = registryDataset(state);
    const byName = "name" in search;
    const [items, counted] = await Promise.all([
      searchRegistry(state, search, { limit, offset }, ctx),
      // A page is worth its price without the total.
      byName ? optional(countRegistry(state, search, ctx), null, () => {}) : null,
    ]);
    return {
      items,
      total: byName ? counted : offset + items.length,
      source: sourceOf(portal),
      meta: { state, dataset, ...(state === "CT" ? { agentsOmitted: true } : {}) },
    };
  },
});
