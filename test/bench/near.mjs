import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { airportNear } from "coinslot/capabilities/airport";
import { climateStationNear } from "coinslot/capabilities/climate";
import { printBar, printRates, printTable, race, ratio, say, whole } from "./measure.mjs";
import { airports, placeFrom, randomFrom, stations } from "./places.mjs";

export const title = "What is near: the indexes beside a scan of all rows, on made-up airports and stations";

const execute = promisify(execFile);
const SCAN = "scan of all rows";
const ALLOWED_MB = 40;
const QUERIES = 256;
const FEW = 100;

const topics = [
  {
    name: "airport.near",
    capability: airportNear,
    module: ["airport", "airportNear"],
    file: "airports.csv",
    rows: airports,
    count: 80_000,
    radiusKm: 200,
    limit: 20,
  },
  {
    name: "climate.station-near",
    capability: climateStationNear,
    module: ["climate", "climateStationNear"],
    file: "ghcnd-stations.txt",
    rows: stations,
    count: 130_000,
    radiusKm: 500,
    limit: 100,
  },
];

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  try {
    const bars = [];
    for (const topic of topics) bars.push(...(await measure(topic, folder)));
    return bars;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(topic, folder) {
  const { name, count, radiusKm, limit } = topic;
  const few = await writeFolder(topic, join(folder, `${name}-few`), FEW);
  const many = await writeFolder(topic, join(folder, name), count);
  say(`  ${name}: ${whole(count)} rows, within ${radiusKm} km, ${limit} at most`);
  const faster = await raceWithScan(topic, many);
  const { keptMb, growthMb, loadMs } = await memoryOf(topic, few, many);
  printTable(
    ["memory", "MB"],
    [
      ["the index keeps", keptMb.toFixed(1)],
      ["the process grows while it loads", growthMb.toFixed(1)],
    ],
  );
  say(`  It is read from disk in ${whole(loadMs)} ms.`);
  return [
    printBar(`${name} beside the scan`, faster, { atLeast: 10 }),
    printBar(`the memory of ${name} beside ${ALLOWED_MB} MB`, keptMb / ALLOWED_MB, { atMost: 1 }),
  ];
}

/** How many times faster the capability is, as it is called: input checked, list looked after, results made. */
async function raceWithScan({ name, capability, rows, count, radiusKm, limit }, dataDir) {
  // The first line of airports is the header; closed ones are left out by default.
  const points = [...rows(count)].filter(({ latitude, closed }) => latitude !== undefined && !closed);
  const random = randomFrom(3);
  const queries = Array.from({ length: QUERIES }, () => placeFrom(random));
  const ask = ({ latitude, longitude }) => capability({ lat: latitude, lon: longitude }, { dataDir });
  const scan = (place) => scanAll(points, place, { radiusKm, limit });
  for (const place of queries.slice(0, 20)) assertSame(await ask(place), scan(place));

  let turn = 0;
  const next = () => queries[turn++ % QUERIES];
  const rates = await race([
    { name, run: () => ask(next()) },
    { name: SCAN, run: () => scan(next()) },
  ]);
  printRates(rates, SCAN);
  return ratio(rates, name, SCAN);
}

async function writeFolder({ file, rows }, folder, count) {
  await mkdir(folder);
  const lines = Readable.from(rows(count)).map(({ line }) => `${line}\n`);
  await pipeline(lines, createWriteStream(join(folder, file)));
  return folder;
}

/** In a process of its own, where nothing else is kept. */
async function memoryOf({ module }, few, many) {
  const script = fileURLToPath(new URL("near-memory.mjs", import.meta.url));
  const { stdout } = await execute(process.execPath, ["--expose-gc", script, ...module, few, many]);
  return JSON.parse(stdout);
}

/** What one would write first: every distance, those within the radius, the nearest of them. */
function scanAll(points, place, { radiusKm, limit }) {
  const within = [];
  for (const point of points) {
    const distanceKm = distance(place, point);
    if (distanceKm <= radiusKm) within.push({ point, distanceKm });
  }
  return within.sort((a, b) => a.distanceKm - b.distanceKm).slice(0, limit);
}

const RADIANS = Math.PI / 180;

function distance(a, b) {
  const northing = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const easting = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const shrunk = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS);
  return 2 * 6371.0088 * Math.asin(Math.sqrt(northing ** 2 + shrunk * easting ** 2));
}

function assertSame({ items }, scanned) {
  const found = items[0]?.airports ?? items;
  const same = found.length === scanned.length;
  if (!same || found.some(({ distanceKm }, i) => Math.abs(distanceKm - scanned[i].distanceKm) > 0.01))
    throw new Error("the index and the scan found different places");
}
