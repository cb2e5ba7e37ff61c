import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { openDatabases } from "./wallet-databases.mjs";

export const title =
  "A wallet's queue, with receipts and room, beside a plain table with skip locked on the same database";

const TABLE =
  "create table if not exists jobs (id bigint generated always as identity primary key, body text, until timestamptz default now())";
const LEASE = `update jobs set until = now() + interval '1 minute' where id = (
  select id from jobs where until <= now() order by id limit 1 for update skip locked) returning id, body`;
const options = { clock: () => performance.now(), rounds: 7, count: 60 };
const body = { task: "resize", image: 42 };

export async function run() {
  const { databases, close } = await openDatabases();
  const bars = [];
  for (const { name, call, query } of databases) {
    await query(TABLE);
    const ours = async () => {
      await call("queue.enqueue", { queue: "q", body });
      const [message] = (await call("queue.lease", { queue: "q", visibilitySeconds: 60 })).items;
      await call("queue.ack", { queue: "q", id: message.id, leaseToken: message.leaseToken });
    };
    const plain = async () => {
      await query("insert into jobs (body) values ($1)", [JSON.stringify(body)]);
      // All that it sees may be another worker's: then it looks again, as a worker does.
      let job;
      while (!job) [job] = (await query(LEASE)).rows;
      await query("delete from jobs where id = $1", [job.id]);
    };
    for (const concurrency of [1, 4]) {
      const contenders = [
        { name: "enqueue, lease, ack", run: ours },
        { name: "insert, update, delete", run: plain },
      ];
      const rates = await race(contenders, { ...options, concurrency });
      say(`  ${name}, ${concurrency} at once`);
      printRates(rates, "insert, update, delete");
      // Below what was measured: three changes of four round trips in all, each with its receipt and its count of bytes.
      // Those of a wallet are made one after another, so four workers gain little, and the plain table's gain much.
      const found = ratio(rates, "enqueue, lease, ack", "insert, update, delete");
      bars.push(printBar(`${name}, ${concurrency} at once: a job`, found, { atLeast: 0.08 }));
    }
  }
  await close();
  return bars;
}
