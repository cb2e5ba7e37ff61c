/**
 * Runs tables of others through the built endpoints of money and places, and prints right, wrong and refused.
 *
 *   node scripts/suites/money.mjs <folder> [--peers <folder>]
 *
 * The folder may have checkouts named `h3` (its `tests/inputfiles/*centers.txt` have 70,868 lines) and `geographiclib-js` (whose
 * tests run with our answers in place of the library's). Peers: see peers.mjs. The suites that lie in `test/suites` run in any case.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countPeer, loaderOf } from "./peers.mjs";

const { positionals, values: flags } = parseArgs({ allowPositionals: true, options: { peers: { type: "string" } } });
const [folder = "."] = positionals;
const load = loaderOf(flags.peers);
const [xirrLibrary, codeLibrary] = await Promise.all(["xirr", "open-location-code"].map(load));
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ financeAmortize, financeIrr, financeOption }, { geoConvert, geoDistance }] = await Promise.all(
  ["finance", "geo"].map(group),
);
const suite = (name) => JSON.parse(readFileSync(new URL(`../../test/suites/${name}.json`, import.meta.url), "utf8"));

const table = new Map();
/** `peer`, where there is one, is `[name, () => isRight]`. */
async function judge(name, call, isRight, peer) {
  const row = table.get(name) ?? { suite: name, right: 0, wrong: 0, refused: 0 };
  table.set(name, row);
  const item = await call
    .then(({ items }) => items[0])
    .catch((error) => (error.status === 400 ? undefined : Promise.reject(error)));
  const how = item === undefined ? "refused" : isRight(item) ? "right" : "wrong";
  row[how]++;
  if (peer) await countPeer(row, ...peer);
  if (how === "wrong" && row.wrong <= 5) console.log(`${name}: ${JSON.stringify(item).slice(0, 300)}`);
}
const near = (a, b, tolerance) => a !== null && Math.abs(a - b) <= tolerance;

const refuses = (call) => {
  try {
    return !Number.isFinite(call());
  } catch {
    return true;
  }
};

const returns = suite("finance/returns");
for (const { flows, xirr, other } of returns.xirr) {
  const dated = flows.map(([date, amount]) => ({ date, amount }));
  const isRate = (found) => [xirr, other].some((one) => near(found, one, 1e-9 * Math.max(1, Math.abs(one))));
  const rateOfPeer = () => xirrLibrary.default(flows.map(([date, amount]) => ({ amount, when: new Date(date) })));
  await judge(
    "pyxirr xirr",
    financeIrr({ flows: dated }),
    (item) => (xirr === null ? item.xirr === null : isRate(item.xirr)),
    xirrLibrary && ["xirr", () => (xirr === null ? refuses(rateOfPeer) : isRate(rateOfPeer()))],
  );
}
for (const [flows, irr] of returns.irr)
  await judge("pyxirr irr", financeIrr({ flows }), (item) => near(item.irr, irr, 1e-9));
for (const [flows, irr] of returns.numpyIrr)
  await judge("numpy-financial irr", financeIrr({ flows }), (item) =>
    irr === null ? item.irr === null : near(item.irr, irr, Math.abs(irr) * 1e-2),
  );
for (const [flows, financeRate, reinvestRate, mirr] of returns.mirr)
  await judge("numpy-financial mirr", financeIrr({ flows, financeRate, reinvestRate }), (item) =>
    mirr === null ? item.mirr === null : near(item.mirr, mirr, 1e-4),
  );
for (const [annualRate, months, principal, payment] of returns.payments)
  await judge(
    "numpy-financial pmt",
    financeAmortize({ principal, annualRate, months }),
    (item) => item.payment === payment,
  );

const options = suite("finance/options");
const contract = ([type, strike, spot, dividendYield, rate, years, volatility]) => ({
  type,
  strike,
  spot,
  dividendYield,
  rate,
  years,
  volatility,
});
for (const row of options.european)
  await judge("QuantLib european", financeOption(contract(row)), (item) => near(item.value, row[7], 1e-4));
for (const row of options.greeks)
  await judge("QuantLib greeks", financeOption(contract(row)), ({ value, greeks }) => {
    const all = { ...greeks, elasticity: (greeks.delta * row[2]) / value, thetaPerDay: greeks.theta / 365 };
    return near(all[row[8]], row[7], 1e-4);
  });
// Tables of approximations: judged within what QuantLib allows its finite differences.
for (const name of ["american", "baroneAdesiWhaley", "bjerksundStensland"])
  for (const row of options[name])
    await judge(`QuantLib ${name}`, financeOption({ ...contract(row), style: "american" }), (item) =>
      near(item.value, row[7], 8e-2),
    );

const codes = suite("places/plus-codes");
const Coder = codeLibrary?.OpenLocationCode;
const coder = Coder && new Coder();
for (const [latitude, longitude, plusCode, code] of codes.encoding)
  await judge(
    "plus codes: encoding",
    geoConvert({ latitude, longitude, to: ["plusCode"], lengths: { plusCode } }),
    (item) => item.plusCode === code,
    coder && ["open-location-code", () => coder.encode(latitude, longitude, plusCode) === code],
  );
for (const [value, , south, west, north, east] of codes.decoding)
  await judge("plus codes: decoding", geoConvert({ value, to: ["plusCode"] }), ({ bounds }) =>
    [bounds.south - south, bounds.west - west, bounds.north - north, bounds.east - east].every(
      (off) => Math.abs(off) < 1e-9,
    ),
  );
for (const [code, latitude, longitude, short] of codes.short)
  await judge(
    "plus codes: short",
    geoConvert({ value: short, near: { latitude, longitude }, to: ["plusCode"] }),
    (item) => item.plusCode === code,
  );

const files = join(folder, "h3", "tests", "inputfiles");
for (const file of existsSync(files) ? readdirSync(files).filter((name) => name.endsWith("centers.txt")) : [])
  for (const line of readFileSync(join(files, file), "utf8").trim().split("\n")) {
    const [cell, latitude, longitude] = line.split(/\s+/);
    const lengths = { h3: Number.parseInt(cell[1], 16) };
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    await judge("h3 points", geoConvert({ ...place, to: ["h3"], lengths }), (item) => item.h3 === cell);
  }

for (const [lat1, lon1, azi1, lat2, lon2, azi2, s12] of suite("places/geodesics").inverse)
  await judge(
    "geographiclib testcases",
    geoDistance({ from: [lon1, lat1], to: [lon2, lat2] }),
    (item) =>
      near(item.meters, s12, 1e-6) &&
      [item.initialBearing - azi1, item.finalBearing - azi2].every((off) =>
        near(((((off + 540) % 360) + 360) % 360) - 180, 0, 1e-10),
      ),
  );
await judgeGeodesicTests(join(folder, "geographiclib-js", "geodesic", "test", "geodesictest.js"));
console.table([...table.values()]);

/** Runs the library's own tests twice: to learn which lines they ask for, and with our answers for those. */
async function judgeGeodesicTests(file) {
  if (!existsSync(file)) return;
  const library = createRequire(import.meta.url)("geographiclib-geodesic");
  const { Inverse } = library.Geodesic.WGS84;
  const asked = new Map();
  const run = (answer) => {
    const counts = { right: 0, wrong: 0 };
    library.Geodesic.WGS84.Inverse = function (...args) {
      return { ...Inverse.apply(this, args), ...answer(args) };
    };
    const scope = {
      require: (name) => (name === "assert" ? createRequire(import.meta.url)("node:assert") : library),
      describe: (_name, work) => work(),
      it: (_name, work) => {
        try {
          work();
          counts.right++;
        } catch {
          counts.wrong++;
        }
      },
    };
    new Function(...Object.keys(scope), readFileSync(file, "utf8"))(...Object.values(scope));
    library.Geodesic.WGS84.Inverse = Inverse;
    return counts;
  };
  run((args) => {
    asked.set(String(args.slice(0, 4)), args);
    return {};
  });
  const ours = new Map();
  for (const [key, [lat1, lon1, lat2, lon2]] of asked)
    await geoDistance({ from: [lon1, lat1], to: [lon2, lat2] })
      .then(({ items: [item] }) => ours.set(key, { s12: item.meters }))
      .catch(() => undefined);
  table.set("tests", {
    suite: `geographiclib tests, ${ours.size} of ${asked.size} lines ours`,
    ...run((args) => ours.get(String(args.slice(0, 4)))),
    refused: 0,
  });
}
