import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { openDatabases } from "./wallet-databases.mjs";

export const title =
  "A wallet's values, with receipts, room and expiry, beside one plain statement on the same database";

const TABLE = "create table if not exists plain (ns text, key text, value text, primary key (ns, key))";
const UPSERT = "insert into plain values ('n', $1, $2) on conflict (ns, key) do update set value = excluded.value";
const SELECT = "select value from plain where ns = 'n' and key = $1";
/** The server's time counts, too. */
const options = { clock: () => performance.now(), rounds: 7, count: 100 };
const value = { text: "x".repeat(200) };
const text = JSON.stringify(value);
let keys = 0;
const nextKey = () => `k${keys++ % 100}`;

export async function run() {
  const { databases, close } = await openDatabases();
  const bars = [];
  for (const { name, call, query } of databases) {
    await query(TABLE);
    const puts = await race(
      [
        { name: "put", run: () => call("store.kv-put", { ns: "n", key: nextKey(), value }) },
        { name: "upsert", run: () => query(UPSERT, [nextKey(), text]) },
      ],
      options,
    );
    const gets = await race(
      [
        { name: "get", run: () => call("store.kv-get", { ns: "n", key: nextKey() }) },
        { name: "select", run: () => query(SELECT, [nextKey()]) },
      ],
      options,
    );
    say(`  ${name}`);
    printRates(puts, "upsert");
    printRates(gets, "select");
    // Below what was measured: a put goes there and back twice, to see before it is paid whether it fits and to be made; a get once.
    const [put, get] = name === "PGlite" ? [0.1, 0.5] : [0.08, 0.4];
    bars.push(printBar(`${name}: put beside upsert`, ratio(puts, "put", "upsert"), { atLeast: put }));
    bars.push(printBar(`${name}: get beside select`, ratio(gets, "get", "select"), { atLeast: get }));
  }
  await close();
  return bars;
}
