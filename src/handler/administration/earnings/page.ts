/** The earnings as an HTML page without scripts or external resources, in light and dark. */
import { createHash } from "node:crypto";
import type { FailingEndpoint } from "../../../drift/service.js";
import { fromMicros, toMicros } from "../../../lib/money.js";
import { escapeHtml as html } from "../../../lib/text/html.js";
import { DAY_MS } from "../../../lib/time.js";
import type { Counts } from "../../../metering/call-counts.js";
import type { OpenPayment, OverdueRefund } from "../../../payment/ledger/open.js";
import type { LedgerReport, LedgerRow } from "../../../payment/ledger/report.js";
import type { ReceiverShare } from "../../../payment/payouts/report.js";
import { conversion, overdueRefunds, sharesOfReceivers } from "./sections.js";

export interface Earnings {
  title: string;
  days: LedgerReport;
  endpoints: LedgerReport;
  payers: LedgerReport;
  open: OpenPayment[];
  /** How calls ended, by endpoint; undefined if nobody counts them. */
  counts?: ReadonlyMap<string, Counts> | undefined;
  overdue: readonly OverdueRefund[];
  /** Endpoints whose upstreams changed; undefined if nothing checks them. */
  drift?: readonly FailingEndpoint[] | undefined;
  /** Of those who share a treasury, since the beginning. */
  shares: readonly ReceiverShare[];
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bar: #1f5fd0; --page: #fff; --ink: #1a1a1a; }
@media (prefers-color-scheme: dark) { :root { --bar: #8fb4ff; --page: #14161a; --ink: #eceef2; } }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
label { display: grid; font-size: .85rem; } input, button { font: inherit; padding: .3rem .5rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
dt { font-size: .85rem; } dd { margin: 0; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: .85rem; padding-bottom: .3rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.n, th.n { text-align: right; } svg { display: block; width: 100%; height: 9rem; } rect { fill: var(--bar); }
a { color: var(--bar); }
.axis { display: flex; justify-content: space-between; margin: 0 0 1rem; border-top: 1px solid var(--line); font-size: .85rem; }
`;

/** The page shows who paid, so its policy allows its own style and nothing else. */
export const EARNINGS_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export function earningsPage({
  title,
  days,
  endpoints,
  payers,
  open,
  counts,
  overdue,
  drift,
  shares,
}: Earnings): string {
  const { from, to, total } = days;
  const tiles: [string, string][] = [
    ["Earned", `$${total.earnedUsd}`],
    ["Paid calls", String(total.calls)],
    ["Settled", `$${total.settledUsd}`],
    ...(total.prepaidUsd ? [["Paid by accounts", `$${total.prepaidUsd}`] as [string, string]] : []),
    ["Returned", `$${total.returnedUsd}`],
    ["Given as credit", `$${total.creditedUsd}`],
    ["Owed to buyers", `$${total.owedUsd}`],
    ...(total.lostUsd ? [["Lost on chain", `$${total.lostUsd}`] as [string, string]] : []),
    ["Settlements pending", String(open.length)],
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${html(title)}</h1>
<form>
<label>From <input type="date" name="from" value="${from}"></label>
<label>To <input type="date" name="to" value="${to}"></label>
<button>Show</button>
<a href="?from=${from}&amp;to=${to}&amp;format=csv">Download as CSV</a>
</form>
<dl>${tiles.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
<h2>By day</h2>
${chart(days)}
${table("Earnings of each day, in UTC", "day", days.rows)}
<h2>By endpoint</h2>
${table("Best earning first", "endpoint", bestFirst(endpoints.rows))}
<h2>By payer</h2>
${table("Best paying first", "payer", bestFirst(payers.rows))}
${counts ? conversion(counts) : ""}
<h2>Pending</h2>
${pending(open)}
${overdueRefunds(overdue)}
${sharesOfReceivers(shares)}
${drift ? upstreams(drift) : ""}
</main></body></html>`;
}

const bestFirst = (rows: LedgerRow[]) =>
  [...rows].sort((a, b) => Number(toMicros(b.earnedUsd) - toMicros(a.earnedUsd)));

/** A bar for each day. The table below shows the same figures, so a screen reader gets the chart as one picture. */
function chart({ from, to, rows }: LedgerReport): string {
  const earned = new Map(rows.map(({ day = "", earnedUsd }) => [day, toMicros(earnedUsd)]));
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  const most = [...earned.values()].sort((a, b) => Number(a - b)).at(-1) || 1n;
  const width = 1000 / days.length;
  const bars = days.map((day, i) => {
    const amount = earned.get(day) ?? 0n;
    const height = Number((amount * 1000n) / most) / 10;
    const x = (i * width + width * 0.1).toFixed(2);
    return `<rect x="${x}" y="${(100 - height).toFixed(1)}" width="${(width * 0.8).toFixed(2)}" height="${height.toFixed(1)}"><title>${day}: $${fromMicros(amount)}</title></rect>`;
  });
  const label = `Earnings a day from ${from} to ${to}, at most $${fromMicros(most)}`;
  return `<svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.join("")}</svg>
<p class="axis"><span>${from}</span><span>${to}</span></p>`;
}

const MONEY = [
  ["earnedUsd", "Earned"],
  ["settledUsd", "Settled"],
  ["creditUsedUsd", "By credit"],
  ["prepaidUsd", "By accounts"],
  ["returnedUsd", "Returned"],
  ["creditedUsd", "Given as credit"],
  ["owedUsd", "Owed"],
] as const;

function table(caption: string, field: "day" | "endpoint" | "payer", rows: LedgerRow[]): string {
  if (rows.length === 0) return "<p>Nothing was sold in these days.</p>";
  const name = { day: "Day", endpoint: "Endpoint", payer: "Payer" }[field];
  const money = MONEY.filter(([key]) => key !== "prepaidUsd" || rows.some((row) => row.prepaidUsd !== undefined));
  const head = `<th scope="col">${name}</th><th scope="col" class="n">Calls</th>${money.map(([, label]) => `<th scope="col" class="n">${label}</th>`).join("")}`;
  const body = rows.map(
    (row) =>
      `<tr><th scope="row">${html(row[field] ?? "")}</th><td class="n">${row.calls}</td>${money.map(([key]) => `<td class="n">${row[key] ?? "0"}</td>`).join("")}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}; US dollars</caption><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** Upstreams whose answers changed, as checks and callers met them. */
function upstreams(drift: readonly FailingEndpoint[]): string {
  if (drift.length === 0) return "<h2>Upstreams</h2><p>Every upstream answers as it did.</p>";
  const rows = drift.map(
    ({ id, provider, class: own, what, failures, available }) =>
      `<tr><th scope="row">${html(id)}</th><td>${html(provider)}</td><td>${html(own)}</td><td>${html(what)}</td><td class="n">${failures}</td><td>${available ? "yes" : "no"}</td></tr>`,
  );
  return `<h2>Upstreams</h2><p>These changed their answers. What failed three times in a row is not sold until it can be read again.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Upstreams that changed"><table><caption>Failures in a row</caption><thead><tr><th scope="col">Endpoint</th><th scope="col">Provider</th><th scope="col">Class</th><th scope="col">What</th><th scope="col" class="n">Failures</th><th scope="col">Sold</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function pending(open: OpenPayment[]): string {
  if (open.length === 0) return "<p>Every payment is settled.</p>";
  const rows = open.map(
    ({ endpoint, payer, network, amount, attempts }) =>
      `<tr><th scope="row">${html(endpoint)}</th><td>${html(payer)}</td><td>${html(network)}</td><td class="n">${html(amount)}</td><td class="n">${attempts}</td></tr>`,
  );
  return `<p>Answered as pending; they are retried in the background, and a buyer who asks again gets what was bought.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Settlements pending"><table><caption>Amounts in atomic units of the token</caption><thead><tr><th scope="col">Endpoint</th><th scope="col">Payer</th><th scope="col">Network</th><th scope="col" class="n">Amount</th><th scope="col" class="n">Tries</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
