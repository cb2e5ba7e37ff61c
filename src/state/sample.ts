/** Sample data of a trial: each kind of state has a little, under the names that the examples of its operations use. */
import type { WriteScope } from "./scope.js";

interface Kind {
  /** Tables whose statements need its sample. */
  tables: RegExp;
  load(): Promise<(scope: WriteScope) => Promise<void>>;
}

const kind = (tables: string[], load: Kind["load"]): Kind => ({
  tables: new RegExp(`@(${tables.join("|")})\\b`),
  load,
});

const CALLBACKS = ["callbacks", "deliveries", "events", "schedules", "watchers", "topics", "subscriptions"];
const KINDS = [
  kind(["kv"], () => import("./kv/sample.js").then((kept) => kept.putValues)),
  kind(["locks"], () => import("./locks/sample.js").then((kept) => kept.putLock)),
  kind(["messages"], () => import("./queues/sample.js").then((kept) => kept.putMessages)),
  kind(["blobs"], () => import("./blobs/sample.js").then((kept) => kept.putFile)),
  kind(["docs"], () => import("./docs/sample.js").then((kept) => kept.putDocuments)),
  kind(["vectors"], () => import("./vectors/sample.js").then((kept) => kept.putVectors)),
  kind(CALLBACKS, () => import("./webhooks/sample.js").then((kept) => kept.putCallbacks)),
];

/**
 * The scope of a trial. Samples of a kind are written before the first statement that names one of its tables, so that
 * a trial runs only the statements that its operation needs; everything is rolled back. Rows of a kind leave together,
 * because all others wait for the end of the transaction.
 */
export function withSamples(scope: WriteScope): WriteScope {
  const begun = new Map<Kind, Promise<void>>();
  return {
    ...scope,
    async query(text, values) {
      for (const kind of KINDS.filter(({ tables }) => tables.test(text))) {
        const put = begun.get(kind) ?? kind.load().then((putSample) => putSample(scope));
        begun.set(kind, put);
        await put;
      }
      return scope.query(text, values);
    },
  };
}
