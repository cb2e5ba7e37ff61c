/** `coinslot doctor --live`: asks every upstream once, and says which of them changed. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AnyCapability } from "../capability/types.js";
import { type Checked, loadShapes, storedShapes } from "../drift/check.js";
import {
  type DriftFinding,
  detailOf,
  exitCodeOf,
  findingsOf,
  isAway,
  isDrift,
  type Sums,
  sumsOf,
} from "../drift/findings.js";
import { recordingOf } from "../drift/recording.js";
import { reportOf } from "../drift/report.js";
import { askAll } from "../drift/round.js";
import { type Micros, toMicros } from "../lib/money.js";
import { all } from "./catalogue.js";
import type { Invocation } from "./invocation.js";
import { KEYS } from "./keys.js";
import type { Env } from "./settings.js";
import { didYouMean, UsageError } from "./usage.js";
import { packageVersion } from "./version.js";

const COULD_NOT_ASK = 3;
const DEFAULT_MAX_USD = "0.10";
const KEY_NAMES = KEYS.map(({ name }) => name).filter((name) => /KEY|TOKEN|SECRET/.test(name));

/** Resolves to 0 if all is as it was, 1 if something is to be mended, 3 if something could not be asked. */
export async function live({ terminal, options, env }: Invocation): Promise<number> {
  const capabilities = choose(options.only as string | undefined);
  const maxUsd = readMaxUsd(options["max-usd"] as string | undefined);
  const now = new Date();
  const keys = valuesToHide(env);
  const round = await askAll({
    ...{ capabilities, maxUsd, secrets: env, keyNames: KEY_NAMES, keyed: options.keys === true },
    fetch: (input, init) => globalThis.fetch(input, init),
    clock: () => new Date(),
    onProvider: (name, worst) => terminal.note(`${name}: ${worst}`),
    onChecked: async (checked) => {
      if (typeof options.record === "string") await record(options.record, checked, { now, keys });
    },
  });
  const findings = findingsOf(round.checked, await loadShapes());
  const sums = sumsOf(findings, round.withoutKey.length);
  const shapes = JSON.stringify(await storedShapes());
  const report = reportOf({ findings, sums, version: packageVersion(), shapes, now });
  if (typeof options.report === "string") await writeJson(options.report, report);
  if (options.json) terminal.out(JSON.stringify(report, null, 2));
  else show(terminal, { findings, sums, now });
  if (round.leftOut.length > 0)
    terminal.note(`Left out for their cost (--max-usd), or for a package: ${round.leftOut.join(", ")}`);
  if (round.unpriced.length > 0)
    terminal.note(`Left out because their price could not be told (--max-usd): ${round.unpriced.join(", ")}`);
  return exitCodeOf(sums) || (round.unpriced.length > 0 ? COULD_NOT_ASK : 0);
}

/** Capabilities by group or id, separated by commas; without any, all. */
function choose(only: string | undefined): readonly AnyCapability[] {
  if (only === undefined) return all;
  const names = only.split(",").map((name) => name.trim());
  const known = [...new Set(all.flatMap(({ id, group }) => [group, id]))];
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new UsageError(`--only: unknown group or endpoint "${wrong}".${didYouMean(wrong, known)}`);
  return all.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

function readMaxUsd(text = DEFAULT_MAX_USD): Micros {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return toMicros(text);
  throw new UsageError(`--max-usd must be an amount such as ${DEFAULT_MAX_USD}, not "${text}".`);
}

/** Everything that a recording must not show: keys, addresses with keys in them, and who the operator is. */
const valuesToHide = (env: Env): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value && (KEYS.some((key) => key.name === name) || /KEY|TOKEN|SECRET|PASSWORD/.test(name)) ? value.split(",") : [],
  );

async function record(folder: string, checked: Checked, facts: { now: Date; keys: string[] }): Promise<void> {
  if (checked.exchanges.length === 0) return;
  const day = facts.now.toISOString().slice(0, 10);
  await writeJson(join(folder, checked.id, `live-${day}.json`), recordingOf(checked, facts));
}

async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(value, null, 1)}\n`);
}

interface Shown {
  findings: readonly DriftFinding[];
  sums: Sums;
  now: Date;
}

function show(terminal: Invocation["terminal"], { findings, sums, now }: Shown): void {
  const told = findings.filter((finding) => isDrift(finding) || isAway(finding));
  terminal.table(
    told.map((finding) => [
      ...[finding.provider, finding.call, finding.class, detailOf(finding, now)],
      isDrift(finding) ? `breaks ${finding.breaks.join(", ")}` : "",
    ]),
  );
  const { ok, drift, withoutKey, away } = sums;
  terminal.out(`${ok} ok, ${drift} drift, ${withoutKey} without a key, ${away} away`);
}
