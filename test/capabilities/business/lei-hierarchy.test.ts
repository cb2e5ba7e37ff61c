import { describe, expect, test } from "vitest";
import { businessLeiHierarchy } from "../../../src/capabilities/business/lei-hierarchy.js";
import { CHILD, leiAnswer, leiData, leiList, OTHER, PARENT, parentException } from "../../support/gleif.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = () => businessLeiHierarchy({ lei: CHILD, childLimit: 1 }, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

const root = (relationships: Record<string, string[]>): Exchange => ({
  url: `/lei-records/${CHILD}`,
  body: leiAnswer(leiData(CHILD, "Mill Ltd", relationships)),
});
const WITH_PARENT = ["relationship-record", "lei-record"];

describe("business.lei-hierarchy", () => {
  test("follows the links that the record has: parent, reason for none, children and their number", async () => {
    const { ask } = open(
      {
        url: "/direct-parent-reporting-exception",
        body: parentException(CHILD, "NON_PUBLIC", "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT"),
      },
      { url: "/ultimate-parent", body: leiAnswer(leiData(PARENT, "Mill Holdings")) },
      { url: "/direct-children", body: leiList([leiData(OTHER, "Mill Shop")], 12) },
      { url: "/ultimate-children", body: leiList([leiData(OTHER, "Mill Shop")], 40) },
      root({
        "direct-parent": ["reporting-exception"],
        "ultimate-parent": WITH_PARENT,
        "direct-children": ["related"],
        "ultimate-children": ["related"],
      }),
    );
    const { items, meta } = await ask();
    expect(items).toEqual([
      {
        lei: CHILD,
        legalName: "Mill Ltd",
        directParent: null,
        directParentException: { reason: "NON_PUBLIC", category: "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT" },
        ultimateParent: {
          lei: PARENT,
          legalName: "Mill Holdings",
          country: "GB",
          jurisdiction: "GB",
          status: "ACTIVE",
        },
        ultimateParentException: null,
        directChildren: [
          {
            lei: OTHER,
            legalName: "Mill Shop",
            country: "GB",
            jurisdiction: "GB",
            status: "ACTIVE",
            registrationStatus: "LAPSED",
          },
        ],
        counts: { directChildren: 12, ultimateChildren: 40, returnedChildren: 1 },
      },
    ]);
    expect(meta).toMatchObject({ partial: false, unavailable: [] });
  });

  test("asks nothing about relatives that the record does not have", async () => {
    const { ask, seen } = open(root({}));
    const { items } = await ask();
    expect(seen).toHaveLength(1);
    expect(items[0]).toMatchObject({ directParent: null, counts: { directChildren: 0, ultimateChildren: 0 } });
  });

  test("leaves out what GLEIF fails to deliver, and says so", async () => {
    const { ask } = open(
      { url: "/direct-parent", status: 500 },
      { url: "/direct-children", status: 500 },
      root({ "direct-parent": WITH_PARENT, "direct-children": ["related"] }),
    );
    const { items, meta } = await ask();
    expect(items[0]).toMatchObject({ directParent: null, directChildren: [], counts: { directChildren: null } });
    expect(meta).toMatchObject({ partial: true, unavailable: ["directChildren", "directParent"] });
  });

  test("passes on that GLEIF wants a pause", async () => {
    const { ask } = open(
      { url: "/direct-parent", status: 429, headers: { "retry-after": "60" } },
      root({ "direct-parent": WITH_PARENT }),
    );
    await expect(ask()).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", retryAfter: 60 });
  });

  test("does not take another entity's reason for this one's", async () => {
    const { ask } = open(
      { url: "/direct-parent-reporting-exception", body: parentException(OTHER, "NON_PUBLIC", "DIRECT") },
      root({ "direct-parent": ["reporting-exception"] }),
    );
    await expect(ask()).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
