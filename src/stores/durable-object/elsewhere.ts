/** The same exports where there are no Durable Objects: package.json names this file under every condition but `workerd`. */
export {
  createDurableObjectStore,
  type DurableObjectStoreOptions,
  type StoreNamespace,
} from "./store.js";

/**
 * The class of the Durable Object that keeps the state, which throws everywhere else.
 *
 * @example
 * ```ts
 * export { CoinslotStore } from "coinslot/stores/durable-object"; // in the Worker's main module
 * ```
 */
export class CoinslotStore {
  constructor(_ctx: unknown, _env: unknown) {
    throw new Error(
      "Durable Objects exist on Cloudflare Workers alone. Bundle the Worker by wrangler, or with the condition workerd; elsewhere use coinslot/stores/postgres or coinslot/stores/redis.",
    );
  }
}
