// The host's books: what came in, what went back and what was earned, per day, endpoint and payer.
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { convertUnit } from "coinslot/capabilities/convert";
import { createPostgresStore } from "coinslot/stores/postgres";
import pg from "pg";

const COLUMNS = {
  day: "Day",
  endpoint: "Endpoint",
  payer: "Payer",
  calls: "Calls",
  settledUsd: "Settled",
  returnedUsd: "Returned",
  creditedUsd: "Credited",
  earnedUsd: "Earned",
};

/** @param {import("coinslot").LedgerReport} report */
export function toTable({ rows, total }) {
  const lines = [COLUMNS, ...rows, { day: "Total", ...total }].map((line) =>
    Object.keys(COLUMNS).map((column) => String(line[column] ?? "")),
  );
  const widths = Object.keys(COLUMNS).map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  // Names to the left, numbers to the right.
  const pad = (text, i) => (i < 3 ? text.padEnd(widths[i]) : text.padStart(widths[i]));
  return lines.map((line) => line.map(pad).join("  ")).join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { DATABASE_URL, OWN_WALLETS = "" } = process.env;
  if (!DATABASE_URL) throw new Error("Set DATABASE_URL to the database that your service keeps its state in.");
  const [from, to] = process.argv.slice(2);
  const pool = new pg.Pool({ connectionString: DATABASE_URL });
  // A running service answers handle.ledger() itself; this one only reads what that has written, and sells nothing.
  const handle = createHandler({ capabilities: [convertUnit], payment: false, store: createPostgresStore(pool) });
  console.log(toTable(await handle.ledger({ from, to, ownWallets: OWN_WALLETS.split(",") })));
  await handle.close();
  await pool.end();
}
