import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContext } from "../../../src/capability/context.js";
import { sanctionsList } from "../../../src/providers/ofac/list.js";
import { readEntries } from "../../../src/providers/ofac/records.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { fakeClock } from "../../support/clock.js";
import { entry, sdnCsv } from "../../support/ofac.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ofac-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const SDN = sdnCsv([entry(36, "AEROCARIBBEAN AIRLINES"), entry(4, "MAHAN AIR")]);
const ALT = '36,12,"aka","AERO-CARIBBEAN",-0- \r\n\u001a';
const csv = { "content-type": "text/csv" };
const answers: Exchange[] = [
  { url: "/SDN.CSV", body: SDN, headers: csv },
  { url: "/ALT.CSV", body: ALT, headers: csv },
];

function open(exchanges = answers, now = new Date().toISOString()) {
  const fake = fakeUpstream(exchanges);
  const clock = fakeClock(now);
  return { ...fake, clock, ctx: createContext({ fetch: fake.fetch, clock, dataDir }, { timeoutMs: 5000 }) };
}

const read = (text: string) => readEntries(Readable.from([Buffer.from(text)]));

describe("the file of entries", () => {
  it("that was cut within its last row is refused", async () => {
    const whole = sdnCsv([entry(36, "AEROCARIBBEAN AIRLINES"), entry(4, "MAHAN AIR")]).replace(/\s+$/, "");
    expect(await read(whole)).toHaveLength(2);
    await expect(read(whole.slice(0, whole.lastIndexOf(",")))).rejects.toThrow("the last row was cut: it has 11 of 12");
  });

  it("has marks for nothing, joined programs, commas and quotes in names, and a control-Z at its end", async () => {
    const text =
      '1,"LAST, First ""Nick""","individual","SDGT] [NPWMD] [IFSR",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 1972."\r\n' +
      '2,"MAHAN AIR",-0- ,"SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n\u001a';
    expect(await read(text)).toEqual([
      {
        entNum: 1,
        name: 'LAST, First "Nick"',
        type: "individual",
        programs: ["SDGT", "NPWMD", "IFSR"],
        remarks: "DOB 1972.",
      },
      { entNum: 2, name: "MAHAN AIR", type: "organization", programs: ["SDGT"], remarks: null },
    ]);
  });

  it("is read without the e-mail and telephone of persons, and with those of organizations", async () => {
    const remarks =
      "DOB 1992; Email Address a@example.com; alt. Email Address b@example.com; Phone Number 79110000000.";
    const [person, company] = await read(
      sdnCsv([entry(1, "A, B", "individual", remarks), entry(2, "C", "organization", remarks)]),
    );
    expect(person?.remarks).toBe("DOB 1992.");
    expect(company?.remarks).toBe(remarks);
  });

  it.each([
    ["an error page", "<html><body>Maintenance</body></html>"],
    ["nothing", ""],
    ["only its end", "\u001a"],
    ["a header line of another table", "ent_num,name\r\n1,A\r\n"],
  ])("UP-3 is refused when it is %s", async (_, text) => {
    await expect(read(text)).rejects.toThrow();
  });

  it("is refused when its download breaks off before it is read", async () => {
    const broken = new Readable({ read() {} });
    broken.destroy(new Error("terminated"));
    await expect(readEntries(broken)).rejects.toThrow("terminated");
  });

  it("is refused when more than half of its entries are gone", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => entry(i + 1, `NAME ${i}`));
    const shrunk = (count: number) => readEntries(Readable.from([Buffer.from(sdnCsv(names(count)))]), names(100));
    await expect(shrunk(49)).rejects.toThrow("49 entries");
    expect(await shrunk(51)).toHaveLength(51);
  });
});

describe("the sanctions list", () => {
  it("is downloaded once, indexed once, and dated", async () => {
    const { ctx, seen } = open();
    const [one, other] = await Promise.all([sanctionsList(ctx), sanctionsList(ctx)]);
    expect(one.list).toBe(other.list);
    expect(one.listDate).toBe(ctx.clock().toISOString().slice(0, 10));
    expect(seen.map(({ url }) => url.pathname.split("/").at(-1)).sort()).toEqual(["ALT.CSV", "SDN.CSV"]);
    expect((await one.list.screen("Aerocaribbean", { threshold: 0.9 })).matches[0]).toMatchObject({
      matchedName: "AERO-CARIBBEAN",
      aliasType: "aka",
    });
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["ofac-sdn.csv", "ofac-alt.csv"]));
  });

  it("comes from the older address when the new one does not answer", async () => {
    const { ctx } = open([
      { url: "PublicationPreview", status: 503 },
      { url: "downloads/sdn.csv", body: SDN },
      { url: "downloads/alt.csv", body: ALT },
    ]);
    const { list } = await sanctionsList(ctx);
    expect((await list.screen("Mahan Air", { threshold: 0.9 })).matches).toHaveLength(1);
  });

  it("UP-2 that cannot be had is an error and clears nobody, and so is one without its aliases", async () => {
    await expect(sanctionsList(open([{ url: "", status: 500 }]).ctx)).rejects.toMatchObject({ status: 502 });
    const withoutAliases = open([answers[0] as Exchange, { url: "", body: "<html>" }]);
    await expect(sanctionsList(withoutAliases.ctx)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("older than a week is an error, whoever put it there", async () => {
    const week = 7 * 24 * 3600 * 1000;
    for (const [name, text] of [
      ["ofac-sdn.csv", SDN],
      ["ofac-alt.csv", ALT],
    ] as const) {
      await writeFile(join(dataDir, name), text);
      const writtenAt = new Date(Date.now() - week - 60_000);
      await utimes(join(dataDir, name), writtenAt, writtenAt);
    }
    const { ctx } = open([{ url: "", status: 503 }]);
    await expect(sanctionsList(ctx)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: expect.stringContaining("older than 7 days"),
    });
  });
});
