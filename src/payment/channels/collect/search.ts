/** Finds channels with a balance that the store does not know, for example after a store was lost. */
import type { Logger } from "../../../lib/logger.js";
import { DAY_MS, HOUR_MS } from "../../../lib/time.js";
import type { Store } from "../../../stores/store.js";
import type { ChannelRail } from "../../rails/channel.js";
import { emptyRecord, withState } from "../vouchers/changes.js";
import type { ChannelRecords } from "../vouchers/record.js";

export interface SearchOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  store: Store;
  logger: Logger;
  now: () => number;
}

/** Searches once per store; repeats after an hour if the chain could not be read. Rejects then. */
export function createSearch({ rail, records, store, logger, now }: SearchOptions): () => Promise<void> {
  const { network } = rail;
  const key = `channels:found:${network}:${rail.accountId}`;
  let next = 0;
  return async () => {
    if (next > now() || (await store.get(key))) return;
    next = now() + HOUR_MS;
    for await (const { id, terms } of rail.opened()) {
      if (await records.read(id)) continue;
      const [state] = await rail.states([id]);
      if (!state || state.balance === state.claimed) continue;
      const empty = emptyRecord({ id, network, terms }, state.claimed, now());
      const record = withState(empty, { state }, { now: now(), minDeposit: rail.minDeposit });
      if (record) await records.write({ ...record, found: true }, 0);
      logger.info({ network, channel: id }, "channels: found a channel on chain that the store did not know");
    }
    await store.put(key, String(now()), { ifVersion: 0, ttlMs: 400 * DAY_MS });
  };
}
