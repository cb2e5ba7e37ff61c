/** Balance, grants, and use by day as a chart with its table. */

import { compact, ticks } from "../result/plot.js";
import { h, svg } from "../shared/dom.js";
import { ask } from "./ask.js";
import { dayOf, section, table, usd } from "./tables.js";

interface Balance {
  account: string;
  availableUsd: string;
  heldUsd: string;
  restrictedUsd?: string;
}
interface Grant {
  id: string;
  kind: string;
  title?: string;
  note?: string;
  usd?: string;
  leftUsd?: string;
  calls?: number;
  leftCalls?: number;
  endpoints?: string[];
  until?: string;
}
interface Use {
  from: string;
  to: string;
  rows: { day: string; endpoint: string; calls: number; usd: string; freeUsd: string; refundedUsd: string }[];
  total: { calls: number; usd: string; freeUsd: string };
  next?: string;
}

export async function balanceView(): Promise<HTMLElement> {
  const { account, availableUsd, heldUsd, restrictedUsd } = await ask<Balance>("GET", "balance");
  const row = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
  return section(
    "balance",
    "Balance",
    h(
      "dl",
      { class: "sums" },
      row("Available", usd(availableUsd)),
      heldUsd === "0" ? [] : row("Held by running calls", usd(heldUsd)),
      restrictedUsd === undefined ? [] : row("Of it for some endpoints, or for later", usd(restrictedUsd)),
      row("Account", account),
    ),
  );
}

const worthOf = ({ usd: total, leftUsd, calls, leftCalls }: Grant): string => {
  if (total !== undefined) return `${usd(leftUsd)} of ${usd(total)}`;
  return calls === undefined ? "every call" : `${leftCalls} of ${calls} calls`;
};

export async function grantsView(): Promise<HTMLElement> {
  const { grants } = await ask<{ grants: Grant[] }>("GET", "grants");
  return section(
    "grants",
    "Passes, bundles and promotions",
    table(
      "Grants in the order of their use",
      ["What", "Left", "For", "Until"],
      grants.map((grant) => [
        grant.title ?? grant.note ?? (grant.kind === "paid" ? "Bought balance" : grant.kind),
        worthOf(grant),
        grant.endpoints?.join(", ") ?? "all endpoints",
        grant.until ? dayOf(grant.until) : "no end",
      ]),
    ),
  );
}

export async function useView(): Promise<HTMLElement> {
  const { from, to, rows, total, next } = await ask<Use>("GET", "usage");
  const paid = `${total.calls} calls for ${usd(total.usd)}`;
  return section(
    "use",
    "Use of the last 30 days",
    h(
      "p",
      {},
      `${paid}${total.freeUsd === "0" ? "" : `, and ${usd(total.freeUsd)} that a pass or an allowance paid`}.`,
    ),
    next !== undefined && h("p", { class: "about" }, "There is more: the statement has all of it."),
    total.calls > 0 && bars(from, to, rows),
    h(
      "details",
      {},
      h("summary", {}, "By day and endpoint"),
      table(
        "Use by day and endpoint",
        ["Day", "Endpoint", "Calls", "Paid", "Free", "Given back"],
        rows.map((row) => [
          ...[row.day, row.endpoint, row.calls],
          ...[usd(row.usd), usd(row.freeUsd), usd(row.refundedUsd)],
        ]),
      ),
    ),
  );
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 220, 58, 28];

/** Calls by day. */
function bars(from: string, to: string, rows: Use["rows"]): HTMLElement {
  const start = Date.parse(from);
  const days = Array.from({ length: (Date.parse(to) - start) / 86_400_000 + 1 }, (_, i) =>
    new Date(start + i * 86_400_000).toISOString().slice(0, 10),
  );
  const calls = days.map((day) => rows.reduce((sum, row) => (row.day === day ? sum + row.calls : sum), 0));
  const most = Math.max(1, ...calls);
  const step = (WIDTH - LEFT - 8) / days.length;
  const y = (count: number) => HEIGHT - BOTTOM - (count / most) * (HEIGHT - BOTTOM - 14);
  const label = `Calls by day from ${from} to ${to}, ${most} at most. The table below lists them.`;
  return h(
    "figure",
    { class: "plot" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ticks(0, most, 4)
        .filter(Number.isInteger)
        .map((at) => [
          svg("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y(at), y2: y(at) }),
          svg("text", { class: "axis", x: LEFT - 6, y: y(at) + 4, "text-anchor": "end" }, compact(at)),
        ]),
      calls.map((count, i) =>
        svg(
          "rect",
          {
            class: "point",
            x: LEFT + i * step + 1,
            y: y(count),
            width: Math.max(1, step - 2),
            height: y(0) - y(count),
          },
          svg("title", {}, `${days[i]}: ${count} calls`),
        ),
      ),
      [0, days.length - 1].map((i) =>
        svg(
          "text",
          { class: "axis", x: i === 0 ? LEFT : WIDTH - 8, y: HEIGHT - 8, "text-anchor": i === 0 ? "start" : "end" },
          days[i],
        ),
      ),
    ),
  );
}
