/** Checks the settings: set, missing, and working. */

import { missing } from "../../capability/define.js";
import type { Terms } from "../../capability/terms.js";
import type { AnyCapability } from "../../capability/types.js";
import { toldExtensions } from "../../handler/administration/told-extensions.js";
import { lacksOf } from "../../handler/composition/lacks.js";
import { createHandler } from "../../handler/handler.js";
import { isInstalled, toInstall } from "../../lib/packages/installed.js";
import type { Store } from "../../stores/store.js";
import { all } from "../catalogue.js";
import { featuresOf } from "../features.js";
import { gatewayOf } from "../gateway.js";
import { managerOf } from "../install.js";
import type { Invocation } from "../invocation.js";
import { KEYS } from "../keys.js";
import { originFindings } from "../origin-findings.js";
import { type Env, facilitatorHeaders, paymentOf, storeOf, treasuryOf } from "../settings.js";
import { UsageError } from "../usage.js";

/**
 * `unset`: nobody needs it; `missing`: something needs it; `broken`: set and not working; `warning`: works, but the
 * terms of its source forbid it, or a facilitator rejects a part of it.
 */
type State = "ok" | "unset" | "missing" | "broken" | "warning";
interface Finding {
  about: string;
  name: string;
  state: State;
  detail: string;
  /** Of a package: what it is for. */
  uses?: string[];
}

/** Options that need `--live`. */
const LIVE_ONLY = ["only", "keys", "max-usd", "report", "record"];

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options, env } = invocation;
  if (options.live) return (await import("../live.js")).live(invocation);
  const wrong = LIVE_ONLY.find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw new UsageError(`--${wrong} needs --live, as in: coinslot doctor --live --${wrong}`);
  const gateway = options.config === undefined ? undefined : await gatewayOf(invocation, "doctor");
  const findings: Finding[] = [
    ...treasuries(env),
    await facilitator(env),
    ...(await store(env)),
    ...(gateway ? await originFindings(gateway, env) : [...keys(env), ...packages(env), ...resale(env)]),
  ];
  const install = gateway ? undefined : toInstallAll(env);
  const broken = findings.some(({ state }) => state === "broken");
  if (options.json) {
    terminal.out(JSON.stringify({ ok: !broken, findings, ...(install ? { install } : {}) }, null, 2));
    return broken ? 1 : 0;
  }
  const signs = {
    ok: terminal.green("ok     "),
    unset: terminal.dim("unset  "),
    missing: terminal.yellow("missing"),
    broken: terminal.red("broken "),
    warning: terminal.yellow("warning"),
  };
  const shown = inFewLines(findings);
  for (const about of new Set(shown.map((one) => one.about))) {
    terminal.out(`\n${terminal.bold(about)}`);
    terminal.table(
      shown.filter((one) => one.about === about).map(({ state, name, detail }) => [`  ${signs[state]}`, name, detail]),
    );
  }
  terminal.out(
    `\n${terminal.bold("Endpoints")}\n  ${soldWith(gateway?.capabilities ?? all, env, gateway ? "proxy" : "serve")}`,
  );
  if (install) terminal.out(`\n${terminal.bold("All packages that are missing")}\n  ${install}`);
  return broken ? 1 : 0;
}

/**
 * For people: packages that are for the same are a line, those that are there another, and settings that nobody has to make
 * are only named. `--json` has them one by one.
 */
function inFewLines(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { about, name, state, uses } = finding;
    const alike = uses && state === "missing" ? uses.join() : state === "missing" ? name : "";
    const key = uses || state === "unset" ? `${about} ${state} ${alike}` : `${about} ${name}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((some) => inOneLine(some));
}

function inOneLine(alike: readonly Finding[]): Finding[] {
  const [first] = alike;
  if (!first || alike.length === 1) return [...alike];
  const names = alike.map(({ name }) => name);
  const line = { ...first, name: `${names.length} ${first.uses ? "packages" : "settings"}` };
  if (first.state === "missing")
    return [{ ...line, name: names.join(" "), detail: `${toInstall(...names)}, for ${some(first.uses ?? [])}` }];
  return [{ ...line, detail: first.uses ? names.join(", ") : `docs/keys.md tells of ${names.join(", ")}` }];
}

/** How many of the endpoints a command would sell with this environment. */
function soldWith(capabilities: readonly AnyCapability[], env: Env, command: "serve" | "proxy"): string {
  const setting = (name: string) => env[name] || undefined;
  const { sold, endpoints } = lacksOf({
    capabilities,
    missing: (capability) => missing(capability, { secret: setting, setting, wallets: undefined }),
  });
  const more = command === "serve" ? "; docs/packages.md tells what each of the others requires" : "";
  return `${sold} of ${endpoints} can be sold by coinslot ${command}${more}`;
}

const some = (ids: readonly string[]): string =>
  ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");

/** Without a required key its capabilities answer PROVIDER_NOT_CONFIGURED; optional keys raise limits. */
function keys(env: Env): Finding[] {
  return KEYS.map(({ name, required, what, keyUrl, capabilities }) => {
    const source = keyUrl ? ` ${keyUrl}` : "";
    const detail = required ? `needed for ${some(capabilities)}.${source}` : `optional: ${what}.${source}`;
    const set = Boolean(env[name]);
    return {
      about: required ? "Keys" : "Optional settings",
      name,
      state: set ? "ok" : required ? "missing" : "unset",
      detail: set ? "set" : detail,
    };
  });
}

/**
 * Capabilities that this environment would sell although the terms of their source forbid it: the host has to settle
 * that with the source.
 */
function resale(env: Env): Finding[] {
  const secret = (name: string) => env[name] || undefined;
  const sold = new Map<Terms, { name: string; ids: string[] }>();
  for (const capability of all) {
    const settings = { secret, setting: secret };
    if (capability.requiresAt(settings).some((name) => !secret(name))) continue;
    for (const { name, terms } of capability.originsAt(settings)) {
      if (terms.resale !== "forbidden") continue;
      const known = sold.get(terms) ?? { name, ids: [] };
      sold.set(terms, { ...known, ids: [...known.ids, capability.id] });
    }
  }
  return [...sold].map(([terms, { name, ids }]) => ({
    about: "Terms of sources",
    name,
    state: "warning",
    detail: `${some(ids)}: ${terms.note} ${terms.url}`,
  }));
}

/** Packages that this environment would use, each with its features. */
function packages(env: Env): Finding[] {
  return [...wantedPackages(env)].map(([name, features]) => {
    const found = isInstalled(name);
    const detail = found ? some(features) : `${toInstall(name)}, for ${some(features)}`;
    return { about: "Packages", name, state: found ? "ok" : "missing", detail, uses: features };
  });
}

/** The command that brings everything that is missing; undefined if nothing is. */
function toInstallAll(env: Env): string | undefined {
  const lacking = [...wantedPackages(env).keys()].filter((name) => !isInstalled(name));
  return lacking.length === 0 ? undefined : managerOf(process.cwd()).command(lacking).join(" ");
}

function wantedPackages(env: Env): Map<string, string[]> {
  const wanted = [...featuresOf(all).values()].filter((feature) => feature.wanted(all, env));
  const names = [...new Set(wanted.flatMap(({ packages }) => packages))].sort();
  const uses = (name: string) => wanted.filter(({ packages }) => packages.includes(name)).map(({ what }) => what);
  return new Map(names.map((name) => [name, uses(name)]));
}

/** Checked as `serve` does, by creating the handler. */
function treasuries(env: Env): Finding[] {
  const about = "Payments";
  const entries = Object.entries(treasuryOf(env));
  if (entries.length === 0)
    return [{ about, name: "TREASURY_EVM, TREASURY_SVM", state: "missing", detail: "who is paid, by coinslot serve" }];
  const url = env.FACILITATOR_URL || "https://facilitator.example";
  return entries.map(([network, address]) => {
    try {
      const [capability] = all;
      const payment = { treasury: { [network]: address }, facilitator: { url } };
      void createHandler({ capabilities: capability ? [capability] : [], payment }).close();
      return { about, name: network, state: "ok", detail: `${address} is paid` };
    } catch (error) {
      return { about, name: network, state: "broken", detail: messageOf(error) };
    }
  });
}

/** Whether it answers, and settles on the networks of the treasuries. */
async function facilitator(env: Env): Promise<Finding> {
  const finding = { about: "Payments", name: "FACILITATOR_URL" };
  const url = env.FACILITATOR_URL?.replace(/\/+$/, "");
  if (!url) return { ...finding, state: "missing", detail: "who checks payments and puts them on chain" };
  try {
    if (Object.keys(treasuryOf(env)).length > 0) paymentOf(env);
    const headers = facilitatorHeaders(env) ?? {};
    const response = await fetch(`${url}/supported`, { headers, signal: AbortSignal.timeout(10_000) });
    if (!response.ok) return { ...finding, state: "broken", detail: `${url}/supported answers ${response.status}` };
    const { kinds } = (await response.json()) as { kinds: { scheme: string; network: string }[] };
    const networks = kinds.filter(({ scheme }) => scheme === "exact").map(({ network }) => network);
    const lacking = Object.keys(treasuryOf(env)).filter((network) => !networks.includes(network));
    if (lacking.length > 0)
      return { ...finding, state: "broken", detail: `${url} does not serve ${lacking.join(", ")}` };
    return { ...finding, state: "ok", detail: `${url} serves ${some(networks)}` };
  } catch (error) {
    return { ...finding, state: "broken", detail: `${url} cannot be reached: ${messageOf(error)}` };
  }
}

async function store(env: Env): Promise<Finding[]> {
  const about = "State";
  const name = env.DATABASE_URL ? "DATABASE_URL" : "REDIS_URL";
  try {
    const opened = await storeOf(env);
    if (!opened)
      return [{ about, name: "REDIS_URL, DATABASE_URL", state: "missing", detail: "in memory: one process" }];
    try {
      await opened.store.get("doctor");
      return [{ about, name, state: "ok", detail: `${opened.where} answers` }, ...(await extensions(opened.store))];
    } finally {
      await opened.end();
    }
  } catch (error) {
    return [{ about, name, state: "broken", detail: messageOf(error) }];
  }
}

/** How facilitators last took what payments told them, such as why a catalogue does not list an endpoint. */
async function extensions(store: Store): Promise<Finding[]> {
  return (await toldExtensions(store)).map(({ extension, endpoint, request, status = "answered", at, ...why }) => {
    const reasons = [why.code, why.rejectedReason, why.reason].filter(Boolean).join(", ");
    const when = `${at.slice(0, 16).replace("T", " ")} UTC`;
    return {
      about: "Extensions, as the facilitator last took them",
      name: extension,
      state: status === "rejected" ? "warning" : "ok",
      detail: `${status}${endpoint ? ` for ${endpoint}` : ""} (${request}, ${when})${reasons ? `: ${reasons}` : ""}`,
    };
  });
}

/** The cause of a failed fetch says more than the error. */
function messageOf(error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const told = cause instanceof Error && cause.message ? cause : error;
  return told instanceof Error ? told.message : String(told);
}
