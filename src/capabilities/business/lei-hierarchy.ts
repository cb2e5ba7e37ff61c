import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError } from "../../errors.js";
import { gleif } from "../../providers/gleif/provider.js";
import type { LeiRecord } from "../../providers/gleif/record.js";
import { findRecord } from "../../providers/gleif/records.js";
import { findChildren, findParent, type Generation } from "../../providers/gleif/relatives.js";
import { isDown } from "../../upstream/failover.js";
import { entityBriefSchema, lei, toEntityBrief, unknownLei } from "./_lei.js";

const count = () => z.number().nullable();
const exception = () => z.object({ reason: z.string().nullable(), category: z.string().nullable() }).nullable();

const NO_PARENT = { parent: null, exception: null };
const NO_CHILDREN = { children: [], total: null };

export const businessLeiHierarchy = /* @__PURE__ */ defineCapability({
  id: "business.lei-hierarchy",
  summary: "Who owns a legal entity and whom it owns: direct and ultimate parent by LEI, children and their number.",
  keywords: ["parent company", "subsidiaries", "ownership", "corporate group", "gleif", "level 2", "ubo", "kyb"],
  price: "0.00144",
  provider: gleif,
  input: () =>
    z.strictObject({
      lei: lei().describe("Legal Entity Identifier of the entity in question"),
      childLimit: limit(10, 50).describe("How many direct children to return"),
    }),
  output: one(() =>
    z.object({
      lei: z.string(),
      legalName: z.string(),
      directParent: entityBriefSchema().nullable(),
      directParentException: exception().describe("Why no direct parent is reported"),
      ultimateParent: entityBriefSchema().nullable(),
      ultimateParentException: exception().describe("Why no ultimate parent is reported"),
      directChildren: z.array(entityBriefSchema().extend({ registrationStatus: z.string().nullable() })),
      counts: z.object({
        directChildren: count().describe("Total; null if it could not be read"),
        ultimateChildren: count().describe("Of all, on every level"),
        returnedChildren: z.number(),
      }),
    }),
  ),
  example: { lei: "INR2EJN1ERAN0W5ZP974", childLimit: 5 },
  async run({ lei, childLimit }, ctx) {
    const found = await findRecord(lei, ctx);
    if (!found) throw unknownLei();
    const { record, publishDate } = found;
    const unavailable: string[] = [];
    const parent = (of: Generation) => orNothing(findParent(record, of, ctx), NO_PARENT, `${of}Parent`);
    const children = (of: Generation, limit: number) =>
      orNothing(findChildren(record, of, limit, ctx), NO_CHILDREN, `${of}Children`);
    /** A part that GLEIF fails to deliver is left out and named; a rate limit or another format fails the call. */
    const orNothing = <Part, Nothing>(part: Promise<Part>, nothing: Nothing, name: string) =>
      part.catch((error: unknown) => {
        if (!isDown(error) || isSchema(error)) throw error;
        unavailable.push(name);
        return nothing;
      });
    const [direct, ultimate, directChildren, ultimateChildren] = await Promise.all([
      parent("direct"),
      parent("ultimate"),
      children("direct", childLimit),
      // Only for their number.
      children("ultimate", 1),
    ]);
    return {
      item: {
        lei,
        legalName: record.entity.legalName.name,
        directParent: direct.parent && toEntityBrief(direct.parent),
        directParentException: direct.exception,
        ultimateParent: ultimate.parent && toEntityBrief(ultimate.parent),
        ultimateParentException: ultimate.exception,
        directChildren: directChildren.children.map(toChild),
        counts: {
          directChildren: directChildren.total,
          ultimateChildren: ultimateChildren.total,
          returnedChildren: directChildren.children.length,
        },
      },
      meta: { publishDate, partial: unavailable.length > 0, unavailable: unavailable.sort() },
    };
  },
});

const isSchema = (error: unknown) => CapabilityError.is(error) && error.code === "UPSTREAM_SCHEMA";

const toChild = (record: LeiRecord) => ({
  ...toEntityBrief(record),
  registrationStatus: record.registration.status,
});
