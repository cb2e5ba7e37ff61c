import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { businessEntityScreen } from "../../../src/capabilities/business/entity-screen.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { ofacFiles } from "../../support/screening-lists.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "screen-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const row = (more: object = {}) => ({
  ...{ entityid: "4711", entityname: "Quiet Meadow LLC", entitystatus: "Good Standing", entitytype: "DLLC" },
  ...{ jurisdictonofformation: "CO", entityformdate: "2020-12-21" },
  ...{ agentfirstname: "Dragan", agentmiddlename: "Petar", agentlastname: "Obrenovic" },
  ...more,
});
const registry = (...rows: object[]): Exchange => ({ url: "4ykn-tg5h", body: rows });

function screen(input: Parameters<typeof businessEntityScreen>[0], exchanges: Exchange[]) {
  const { fetch } = fakeUpstream(exchanges);
  return businessEntityScreen(input, { fetch, secrets: {}, dataDir });
}

describe("business.entity-screen", () => {
  it("screens the business and its agent, and says why a name matches", async () => {
    const result = await screen({ state: "CO", name: "Quiet Meadow", threshold: 0.8 }, [registry(row()), ...ofacFiles]);
    expect(result).toMatchObject({
      ok: true,
      entity: { status: "found", record: { entityId: "4711" } },
      registeredAgent: { status: "found" },
      flagged: true,
      sanctions: { status: "found" },
    });
    const agent = result.sanctions.screened.find(({ role }) => role === "registeredAgent");
    expect(agent?.matches).toMatchObject([
      { entNum: 2, confidence: "high", reasons: ["the same words"], listName: "SDN" },
    ]);
    expect(agent?.matches[0]?.words).toContainEqual({
      ...{ asked: "obrenovic", found: "obrenovic", similarity: 1 },
      ...{ weight: expect.any(Number), names: 1 },
    });
    expect(result.meta?.words).toContainEqual({ word: "obrenovic", names: 1, share: expect.any(Number) });
    expect(result.meta?.listNames).toBeGreaterThan(600);
  });

  it("clears only a business that was found and screened with its agent", async () => {
    const clean = row({
      agentfirstname: null,
      agentlastname: null,
      agentmiddlename: null,
      agentorganizationname: "Plain Agents Inc",
    });
    const result = await screen({ state: "CO", name: "Quiet Meadow LLC", threshold: 0.8 }, [
      registry(clean),
      ...ofacFiles,
    ]);
    expect(result).toMatchObject({ flagged: false, sanctions: { status: "not_found", error: null } });
  });

  it("UP-2 a list that is down clears nobody", async () => {
    const down = [registry(row()), { url: "ofac", status: 503 }, { url: "treasury.gov", status: 503 }];
    const result = await screen({ state: "CO", name: "Quiet Meadow LLC" }, down);
    expect(result).toMatchObject({ flagged: null, sanctions: { status: "error", listDate: null } });
  });

  it("UP-2 a register that is down leaves the agent unknown: the given name is screened, and is not clear", async () => {
    const down = [{ url: "4ykn-tg5h", status: 503 }, ...ofacFiles];
    const clean = await screen({ state: "CO", name: "Quiet Meadow LLC", threshold: 0.8 }, down);
    expect(clean).toMatchObject({ flagged: null, entity: { status: "error" }, registeredAgent: { status: "error" } });
    const listed = await screen({ state: "CO", name: "Zareh Maritime", threshold: 0.8 }, down);
    expect(listed).toMatchObject({ flagged: true });
    const byId = await screen({ state: "CO", entityId: "4711" }, down);
    expect(byId).toMatchObject({ flagged: null, sanctions: { status: "skipped", screened: [] } });
  });

  it("screens a name that the register does not have, and takes no marker for an agent", async () => {
    const unknown = await screen({ state: "CO", name: "Zareh Shipping" }, [registry(), ...ofacFiles]);
    expect(unknown).toMatchObject({ entity: { status: "not_found" }, flagged: true });
    forgetBulk();
    const marker = row({
      agentfirstname: null,
      agentlastname: null,
      agentmiddlename: null,
      agentorganizationname: "NONE",
    });
    const result = await screen({ state: "CO", name: "Quiet Meadow LLC" }, [registry(marker), ...ofacFiles]);
    expect(result.registeredAgent).toMatchObject({ status: "not_found", name: null });
  });

  it("fails where neither answers", async () => {
    await expect(screen({ state: "CO", name: "Quiet Meadow" }, [{ url: "", status: 503 }])).rejects.toMatchObject({
      status: 502,
    });
  });
});
