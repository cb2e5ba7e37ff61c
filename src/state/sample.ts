/** Sample data of a trial: each kind of state has a little, under the names that the examples of its operations use. */
import type { WriteScope } from "./scope.js";

interface Kind {
  /** Tables whose statements need its sample. */
  tables: RegExp;
  sample(): Promise<{ putSample(scope: WriteScope): Promise<void> }>;
}

const kind = (tables: string[], sample: Kind["sample"]): Kind => ({
  tables: new RegExp(`@(${tables.join("|")})\\b`),
  sample,
});

const CALLBACKS = ["callbacks", "deliveries", "events", "schedules", "watchers", "topics", "subscriptions"];
const KINDS = [
  kind(["kv"], () => import("./kv/sample.js")),
  kind(["locks"], () => import("./locks/sample.js")),
  kind(["messages"], () => import("./queues/sample.js")),
  kind(["blobs"], () => import("./blobs/sample.js")),
  kind(["docs"], () => import("./docs/sample.js")),
  kind(["vectors"], () => import("./vectors/sample.js")),
  kind(CALLBACKS, () => import("./webhooks/sample.js")),
];

/**
 * The scope of a trial. Samples of a kind are written before the first statement that names one of its tables, so that
 * a trial runs only the statements that its operation needs; everything is rolled back.
 */
export function withSamples(scope: WriteScope): WriteScope {
  const begun = new Map<Kind, Promise<void>>();
  return {
    ...scope,
    async query(text, values) {
      for (const kind of KINDS.filter(({ tables }) => tables.test(text))) {
        const put = begun.get(kind) ?? kind.sample().then(({ putSample }) => putSample(scope));
        begun.set(kind, put);
        await put;
      }
      return scope.query(text, values);
    },
  };
}
