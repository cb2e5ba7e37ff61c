/** How many of the ways to break are classified rightly, at every call of every recording. */

import { findShape } from "../../src/drift/calls.js";
import type { DriftVerdict } from "../../src/drift/classify.js";
import { classify, worse } from "../../src/drift/classify.js";
import { newestIn } from "../../src/drift/compare.js";
import { observe } from "../../src/drift/observe.js";
import { type CallShape, readShape } from "../../src/drift/shape.js";
import { SHAPES } from "../../src/drift/shapes.js";
import { decodeTree } from "../../src/drift/tree.js";
import type { Recording } from "../support/recordings.js";
import { type Internet, startInternet, type World } from "./internet.js";
import { answersFor, capabilityOf, hasRows, isHealthy, optionsFor, type Served } from "./recorded-runs.js";
import { WAYS } from "./ways.js";

const shapes: readonly CallShape[] = SHAPES.map(readShape);

export interface Judged {
  provider: string;
  call: string;
  way: string;
  expected: string;
  got: string;
  file: string;
}

export interface Measure {
  judged: Judged[];
  /** Verdicts on answers as recorded other than ok. */
  healthy: { file: string; verdicts: DriftVerdict[] }[];
  /** How many recordings were judged as they are. */
  healthyRuns: number;
  /** Ways that do not apply, by way. */
  notApplicable: Map<string, number>;
}

interface Played {
  verdicts: DriftVerdict[];
  healthy: boolean;
  rows: boolean;
  served: Served[];
}

async function play(internet: Internet, recorded: Recording, world: World, expectsRows: boolean): Promise<Played> {
  const capability = capabilityOf(recorded);
  if (!capability) return { verdicts: [], healthy: false, rows: false, served: [] };
  const opened = internet.open(world);
  const observer = observe(opened.fetch);
  const options = optionsFor(capability, recorded);
  const ran = await capability(recorded.input, { ...options, fetch: observer.fetch }).then(
    (result: unknown) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  opened.close();
  const run = {
    exchanges: observer.take(),
    error: ran.error,
    isEmpty: !hasRows(ran),
    expectsRows,
    freshDays: capability.live ? capability.live.freshDays : undefined,
    keyed: capability.requires.length > 0,
    now: recorded.now === undefined ? await newestOf(opened.served) : options.clock().getTime(),
  };
  return { verdicts: await classify(run, shapes), healthy: isHealthy(ran), rows: hasRows(ran), served: opened.served };
}

/** When a recording was made, which does not say so: at the newest moment that it tells of. */
async function newestOf(served: readonly Served[]): Promise<number> {
  const trees = await Promise.all(
    served.map(({ contentType, bytes }) => decodeTree({ contentType, bytes, whole: true })),
  );
  const times = trees.flatMap(({ tree }) => (tree === undefined ? [] : (newestIn(tree, LATEST) ?? [])));
  return times.length > 0 ? Math.max(...times) : LATEST;
}

const LATEST = Date.parse("2026-11-01T00:00:00Z");

/** `pick` says which of the fields that fit is changed: 0 the first, just below 1 the last. */
export async function measure(
  cases: readonly Recording[],
  { ways = WAYS, pick = 0.5, together = 12 } = {},
): Promise<Measure> {
  const internet = await startInternet();
  const found: Measure = { judged: [], healthy: [], healthyRuns: 0, notApplicable: new Map() };
  try {
    const left = [...cases];
    await Promise.all(
      Array.from({ length: together }, async () => {
        for (let recorded = left.shift(); recorded; recorded = left.shift())
          await judgeCase({ internet, recorded, ways, pick, found });
      }),
    );
  } finally {
    await internet.close();
  }
  return found;
}

interface Case {
  internet: Internet;
  recorded: Recording;
  ways: typeof WAYS;
  pick: number;
  found: Measure;
}

async function judgeCase({ internet, recorded, ways, pick, found }: Case): Promise<void> {
  const answers = answersFor(recorded);
  const first = await play(internet, recorded, { answers }, false);
  if (!first.healthy || first.verdicts.length === 0) return;
  found.healthyRuns++;
  // A recorded failure of an upstream beside answers of others, and what nobody recorded, are no healthy answers.
  const drifted = first.verdicts.filter((one) => one.class !== "ok" && one.status < 500);
  if (drifted.length > 0) found.healthy.push({ file: recorded.file, verdicts: drifted });
  if (!first.rows) return;
  const calls = new Map<CallShape, Served>();
  for (const served of first.served) {
    const { exchange, url, body } = served;
    const shape = findShape(shapes, { method: exchange.method.toUpperCase(), url, body });
    if (shape && exchange.status === 200 && !calls.has(shape)) calls.set(shape, served);
  }
  for (const [shape, served] of calls)
    for (const way of ways) await judgeWay({ internet, recorded, way, pick, shape, served, found });
}

interface Asked {
  internet: Internet;
  recorded: Recording;
  way: (typeof WAYS)[number];
  pick: number;
  shape: CallShape;
  served: Served;
  found: Measure;
}

async function judgeWay({ internet, recorded, way, pick, shape, served, found }: Asked): Promise<void> {
  const { contentType, bytes, exchange } = served;
  const decoded = await decodeTree({ contentType, bytes, whole: true });
  const capability = capabilityOf(recorded);
  const freshDays = capability?.live ? capability.live.freshDays : undefined;
  const text = new TextDecoder().decode(bytes);
  const sent = way.apply({ contentType, bytes, text, decoded, shape, freshDays, pick });
  if (!sent) {
    found.notApplicable.set(way.name, (found.notApplicable.get(way.name) ?? 0) + 1);
    return;
  }
  const answers = answersFor(recorded);
  const { verdicts } = await play(internet, recorded, { answers, instead: new Map([[exchange, sent]]) }, true);
  const own = verdicts.filter((one) => one.provider === shape.provider && one.call === shape.call);
  const got = own.map((one) => one.class).reduce(worse, "ok");
  found.judged.push({
    provider: shape.provider,
    call: shape.call,
    way: way.name,
    expected: way.expects,
    got,
    file: recorded.file,
  });
}
