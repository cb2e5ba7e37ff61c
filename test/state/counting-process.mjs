// Started by kill.test.ts: counts under names of its own, and says each number once it is kept.
import { createHandler } from "coinslot";
import { storeKvIncrement } from "coinslot/capabilities/store";

const [folder, round] = process.argv.slice(2);
const handle = createHandler({ capabilities: [storeKvIncrement], payment: false, wallets: { dataDir: folder } });
for (let i = 0; ; i++) {
  const options = { wallet: "w", idempotencyKey: `${round}-${i}` };
  const { items } = await handle.call("store.kv-increment", { ns: "n", key: "count" }, options);
  console.log(items[0].value);
}
