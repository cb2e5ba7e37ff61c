import { describe, expect, it } from "vitest";
import { aviationSigmet } from "../../../src/capabilities/aviation/sigmet.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const NOW = "2026-03-29T02:00:00Z";
const at = (hours: number) => Date.parse(NOW) / 1000 + hours * 3600;

const sigmet = (more: object = {}) => ({
  icaoId: "KKCI",
  seriesId: "3E",
  creationTime: "2026-03-29T01:55:00.000Z",
  validTimeFrom: at(-0.5),
  validTimeTo: at(1),
  airSigmetType: "SIGMET",
  hazard: "CONVECTIVE",
  altitudeHi1: 32000,
  altitudeHi2: 35000,
  altitudeLow1: null,
  altitudeLow2: null,
  movementDir: 10,
  movementSpd: 15,
  rawAirSigmet: "WSUS31 KKCI 290155",
  severity: 5,
  coords: [{ lat: 28.145, lon: -80.272 }],
  ...more,
});
const airmet = (more: object = {}) => ({
  tag: "3E",
  validTime: "2026-03-29T03:00:00.000Z",
  hazard: "MT_OBSC",
  due_to: "MTNS OBSC BY CLDS/BR",
  severity: "",
  top: "180",
  base: "SFC",
  issueTime: at(-3),
  expireTime: at(3),
  product: "SIERRA",
  coords: [{ lat: "47.62", lon: "-69.30" }],
  ...more,
});
const ash = {
  icaoId: "WAAF",
  seriesId: "05",
  validTimeFrom: "2026-03-29T01:00:00.000Z",
  validTimeTo: "2026-03-29T07:00:00.000Z",
  hazard: "VA",
  qualifier: "ERUPTION",
  base: 0,
  top: 15000,
  dir: "WNW",
  spd: "10",
  coords: [[{ lat: 1, lon: 127 }], [{ lat: 2, lon: 128 }]],
  rawSigmet: "WVID21 WAAF",
};

const us = (...body: object[]): Exchange => ({ url: "/airsigmet", body });
const graphical = (...body: object[]): Exchange => ({ url: "/gairmet", body });
const world = (...body: object[]): Exchange => ({ url: "/isigmet", body });
const none = (url: string): Exchange => ({ url, body: "" });

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof aviationSigmet>[0]) =>
    aviationSigmet(input, { fetch: fake.fetch, clock: fakeClock(NOW), cache: false });
  const idsFor = async (hazard: string) => (await ask({ hazard })).items.map(({ id }) => id);
  return { ...fake, ask, idsFor };
}

describe("aviation.sigmet", () => {
  it("gives SIGMETs and graphical AIRMETs in one form, newest first", async () => {
    const { ask, seen } = open(us(sigmet()), graphical(airmet()));
    const { items, total, meta } = await ask({});
    expect(items).toEqual([
      {
        id: "3E",
        office: "KKCI",
        type: "SIGMET",
        hazard: "CONVECTIVE",
        severity: 5,
        issuedAt: "2026-03-29T01:55:00Z",
        validFrom: "2026-03-29T01:30:00Z",
        validTo: "2026-03-29T03:00:00Z",
        altitudeLowFt: null,
        altitudeHighFt: 35000,
        movementDirDeg: 10,
        movementSpeedKt: 15,
        dueTo: null,
        area: [{ lat: 28.145, lon: -80.272 }],
        raw: "WSUS31 KKCI 290155",
      },
      {
        id: "3E",
        office: "KKCI",
        type: "AIRMET",
        hazard: "MTN OBSCN",
        severity: null,
        issuedAt: "2026-03-28T23:00:00Z",
        validFrom: "2026-03-28T23:00:00Z",
        validTo: "2026-03-29T05:00:00Z",
        altitudeLowFt: 0,
        altitudeHighFt: 18000,
        movementDirDeg: null,
        movementSpeedKt: null,
        dueTo: "MTNS OBSC BY CLDS/BR",
        area: [{ lat: 47.62, lon: -69.3 }],
        raw: "G-AIRMET SIERRA 3E MT_OBSC MTNS OBSC BY CLDS/BR VALID 2026-03-28T23:00:00Z/2026-03-29T05:00:00Z",
      },
    ]);
    expect({ total, meta }).toEqual({ total: 2, meta: { sources: ["airsigmet", "gairmet"] } });
    expect(seen.map(({ url }) => url.pathname + url.search)).toEqual([
      "/api/data/airsigmet?format=json",
      "/api/data/gairmet?format=json",
    ]);
  });

  it("knows both spellings of what has two", async () => {
    const { airSigmetType: _, ...old } = sigmet({
      airsigmetType: "OUTLOOK",
      altitudeLo1: 9000,
      altitudeLow1: undefined,
    });
    const { items } = await open(us(old), none("/gairmet")).ask({});
    expect(items[0]).toMatchObject({ type: "OUTLOOK", altitudeLowFt: 9000 });
  });

  it("lists an advisory once, in the picture that is nearest to now", async () => {
    const pictures = ["2026-03-28T21:00:00Z", "2026-03-29T03:00:00Z", "2026-03-29T00:00:00Z"].map((validTime) =>
      airmet({ validTime, due_to: validTime }),
    );
    const { items } = await open(none("/airsigmet"), graphical(...pictures, airmet({ tag: "4E" }))).ask({});
    expect(items.map(({ id, dueTo }) => [id, dueTo?.slice(0, 13)])).toEqual([
      ["3E", "2026-03-29T03"],
      ["4E", "MTNS OBSC BY "],
    ]);
  });

  it.each<[string, string[]]>([
    ["CONVECTIVE", ["conv", "ts"]],
    ["turb", ["turb", "hi", "llws"]],
    ["TURB-HI", ["hi"]],
    ["ICE", ["ice"]],
    ["IFR", ["ifr"]],
    ["MTN OBSCN", ["mtn", "obs"]],
    ["mtn", ["mtn", "obs"]],
    ["fzl", ["fzl"]],
    ["SANDSTORM", []],
  ])("filters by %s", async (hazard, ids) => {
    const service = open(
      us(
        sigmet({ seriesId: "conv" }),
        sigmet({ seriesId: "ts", hazard: "TS" }),
        sigmet({ seriesId: "turb", hazard: "TURB" }),
      ),
      graphical(
        ...Object.entries({
          hi: "turb-hi",
          llws: "LLWS",
          ice: "ICE",
          ifr: "ifr",
          mtn: "MT_OBSC",
          obs: "mtn_obs",
          fzl: "FZLVL",
        }).map(([tag, code]) => airmet({ tag, hazard: code })),
      ),
      world(),
    );
    expect(await service.idsFor(hazard)).toEqual(ids);
  });

  it("asks the world for volcanic ash, and only then", async () => {
    const service = open(none("/airsigmet"), none("/gairmet"), world(ash));
    const { items, meta } = await service.ask({ hazard: "ash" });
    expect(items[0]).toMatchObject({
      hazard: "ASH",
      office: "WAAF",
      type: "SIGMET",
      altitudeHighFt: 15000,
      movementDirDeg: 292.5,
      movementSpeedKt: 10,
      dueTo: "ERUPTION",
      area: [{ lat: 1, lon: 127 }],
    });
    expect(meta).toEqual({ sources: ["airsigmet", "gairmet", "isigmet"] });
    await service.ask({ hazard: "ICE" });
    expect(service.seen).toHaveLength(5);
  });

  it("leaves out what has ended, unless asked for the last hours", async () => {
    const { ask } = open(
      us(
        sigmet({ seriesId: "ended", validTimeTo: at(-2) }),
        sigmet({ seriesId: "now" }),
        sigmet({ seriesId: "just", validTimeTo: at(0) }),
      ),
      none("/gairmet"),
    );
    expect((await ask({})).items.map(({ id }) => id)).toEqual(["now"]);
    expect((await ask({ hours: 1 })).items.map(({ id }) => id)).toEqual(["now", "just"]);
    expect((await ask({ hours: 3 })).total).toBe(3);
  });

  it("counts all, returns as many as wanted", async () => {
    const { ask } = open(us(...Array.from({ length: 60 }, () => sigmet())), none("/gairmet"));
    const [byDefault, few] = [await ask({}), await ask({ limit: 2 })];
    expect([byDefault.items.length, byDefault.total, few.items.length, few.total]).toEqual([50, 60, 2, 60]);
  });

  it("has none where nothing is in force", async () => {
    const { ask } = open({ url: "/airsigmet", status: 204 }, none("/gairmet"));
    expect(await ask({})).toMatchObject({ items: [], total: 0 });
  });

  it("UP-2 answers without a product that fails, but never empty because of it", async () => {
    const down: Exchange = { url: "/gairmet", status: 500 };
    expect((await open(us(sigmet()), down).ask({})).meta).toEqual({ sources: ["airsigmet"], failed: ["gairmet"] });
    await expect(open(us(sigmet()), down).ask({ hazard: "IFR" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    await expect(open({ url: "", status: 500 }).ask({})).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("UP-3 takes an advisory without a readable end for a change of form", async () => {
    const { ask } = open(us(sigmet({ validTimeTo: "soon" })), none("/gairmet"));
    await expect(ask({})).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("UP-3 reports renamed fields instead of selling nulls", async () => {
    const { ask } = open(us(sigmet({ rawAirSigmet: undefined })), graphical(airmet({ expireTime: undefined })));
    await expect(ask({})).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it.each<[string, Parameters<typeof aviationSigmet>[0]]>([
    ["hazard", { hazard: "X" }],
    ["hazard", { hazard: " -_" }],
    ["hazard", { hazard: "X".repeat(21) }],
    ["hours", { hours: 25 }],
    ["limit", { limit: 51 }],
  ])("refuses a bad %s without asking", async (path, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });
});
