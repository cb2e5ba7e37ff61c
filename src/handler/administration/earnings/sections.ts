/** Parts of the earnings page beside the ledger: how calls end, refunds that are overdue, and who shares. */

import { escapeHtml as html } from "../../../lib/text/html.js";
import type { Counts } from "../../../metering/call-counts.js";
import type { OverdueRefund } from "../../../payment/ledger/open.js";
import type { ReceiverShare } from "../../../payment/payouts/report.js";

/** A table that scrolls by itself; the first cell of each row is its head. Cells are HTML. */
function scrolling(label: string, caption: string, names: readonly string[], rows: readonly (readonly string[])[]) {
  const head = names.map((name, at) => `<th scope="col"${at === 0 ? "" : ' class="n"'}>${name}</th>`).join("");
  const body = rows.map(
    ([first = "", ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td class="n">${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

const percent = (part: number, whole: number) => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`);

/** From quotes to sales, by endpoint. Who pays by account, voucher or credit needs no quote first. */
export function conversion(counts: ReadonlyMap<string, Counts>): string {
  const of = ({ quoted = 0, sold = 0, trials = 0, refused = 0, failed = 0, pending = 0 }: Counts) =>
    [quoted, sold, percent(sold, quoted), trials, refused, failed, pending].map(String);
  const rows = [...counts].sort(([, a], [, b]) => (b.quoted ?? 0) - (a.quoted ?? 0) || (b.sold ?? 0) - (a.sold ?? 0));
  if (rows.length === 0) return "<h2>Conversion</h2><p>No call was counted in these days.</p>";
  const names = ["Endpoint", "Quotes (402)", "Sales", "Sales of quotes", "Trials", "Refused", "Failed", "Pending"];
  return `<h2>Conversion</h2><p>How calls ended. Accounts, channels and credit need no quote first. A refused call had a wrong payment; a failed one charged nothing.</p>
${scrolling(
  "Conversion",
  "Most quoted first",
  names,
  rows.map(([id, own]) => [html(id), ...of(own)]),
)}`;
}

export function overdueRefunds(overdue: readonly OverdueRefund[]): string {
  if (overdue.length === 0) return "";
  const rows = overdue.map(({ endpoint, payer, network, owedUsd, since, attempts, reason = "" }) =>
    [endpoint, payer, network, owedUsd, since.slice(0, 16).replace("T", " "), String(attempts), reason].map(html),
  );
  const names = ["Endpoint", "Payer", "Network", "Owed", "Since, in UTC", "Tries", "Last failure"];
  return `<h2>Refunds overdue</h2><p>Owed for more than an hour; the background tries them again.</p>
${scrolling("Refunds overdue", "US dollars", names, rows)}`;
}

export function sharesOfReceivers(shares: readonly ReceiverShare[]): string {
  if (shares.length === 0) return "";
  const rows = shares.map(({ payTo, network, share, earnedUsd, paidUsd, pendingUsd, owedUsd }) =>
    [payTo, network, `${share / 100} %`, earnedUsd, paidUsd, pendingUsd, owedUsd].map(html),
  );
  const names = ["Paid to", "Network", "Share", "Earned", "Paid out", "Pending", "Owed"];
  return `<h2>Shares</h2><p>Of all sales so far, less what went back or was lost. The first of a network is paid by its buyers.</p>
${scrolling("Shares", "US dollars", names, rows)}`;
}
