import fc from "fast-check";
import { expect } from "vitest";
import type { Store } from "../../src/stores/store.js";

const key = fc.constantFrom("a", "a:1", "a:2", "b", "🪙", "\uffff");
const instance = fc.nat(1);

function operations(ttls: number[]) {
  const ttlMs = fc.constantFrom(...ttls);
  const put = fc.record({
    kind: fc.constant("put" as const),
    instance,
    key,
    value: fc.string({ unit: "grapheme", maxLength: 8 }),
    // Which version the writer believes in.
    belief: fc.constantFrom("absent", "newest", "stale"),
    ttlMs,
    dueAt: fc.option(fc.nat(20), { nil: undefined }),
  });
  const remove = fc.record({
    kind: fc.constant("remove" as const),
    instance,
    key,
    belief: fc.constantFrom("newest", "stale"),
  });
  const increment = fc.record({
    kind: fc.constant("increment" as const),
    instance,
    key,
    by: fc.integer({ min: -3, max: 5 }),
    ttlMs,
    max: fc.option(fc.nat(12), { nil: undefined }),
  });
  const pass = fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, 9, 10, 999, 5000) });
  return fc.array(fc.oneof(put, remove, increment, pass), { maxLength: 40 });
}

type Operation = ReturnType<typeof operations> extends fc.Arbitrary<(infer T)[]> ? T : never;
type On<K extends Operation["kind"]> = Extract<Operation, { kind: K }>;

interface ModelRecord {
  value: string;
  version: number;
  expiresAt: number;
  dueAt: number | undefined;
}

/** The contract said as plainly as possible: everything is looked at every time. */
class Model {
  now = 0;
  newestVersion = 0;
  readonly #records = new Map<string, ModelRecord>();
  readonly #counters = new Map<string, { total: number; expiresAt: number }>();

  record(name: string): ModelRecord | undefined {
    const record = this.#records.get(name);
    return record && record.expiresAt > this.now ? record : undefined;
  }

  write(name: string, record: ModelRecord): void {
    this.newestVersion = record.version;
    this.#records.set(name, record);
  }

  remove(name: string): void {
    this.#records.delete(name);
  }

  increment(name: string, by: number, { ttlMs, max }: { ttlMs: number; max: number | undefined }): number | undefined {
    const held = this.#counters.get(name);
    const counter = held && held.expiresAt > this.now ? held : { total: 0, expiresAt: this.now + ttlMs };
    const total = Math.max(0, counter.total + by);
    if (max !== undefined && total > max) return undefined;
    this.#counters.set(name, { ...counter, total });
    return total;
  }

  due(until: number): string[] {
    return this.living()
      .filter(({ dueAt }) => dueAt !== undefined && dueAt <= until)
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || compare(a.key, b.key))
      .map(({ key: name }) => name);
  }

  living(): ({ key: string } & ModelRecord)[] {
    const names = [...this.#records.keys()].sort(compare);
    return names.flatMap((name) => {
      const record = this.record(name);
      return record ? [{ key: name, ...record }] : [];
    });
  }
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export interface ModelSubject {
  open(): Promise<[Store, Store]>;
  /** Left out where time cannot be moved: then nothing expires. */
  pass?: (ms: number) => void;
  runs: number;
}

/** Runs random sequences of operations over two instances and compares every answer with the model's. */
export async function expectToFollowModel({ open, pass, runs }: ModelSubject): Promise<void> {
  const sequences = operations(pass ? [10, 1000, 3_600_000] : [3_600_000]);
  const check = fc.asyncProperty(sequences, async (sequence) => {
    const stores = await open();
    const model = new Model();
    for (const operation of sequence) {
      if (operation.kind === "pass") {
        if (!pass) continue;
        pass(operation.ms);
        model.now += operation.ms;
      } else {
        await step(stores[operation.instance] ?? stores[0], model, operation);
      }
      await expectSameState(stores[0], model);
    }
  });
  await fc.assert(check, { numRuns: runs });
}

async function step(store: Store, model: Model, operation: Exclude<Operation, On<"pass">>): Promise<void> {
  if (operation.kind === "put") return put(store, model, operation);
  if (operation.kind === "remove") return remove(store, model, operation);
  const { key: name, by, ttlMs, max } = operation;
  const total = await store.increment(name, by, max === undefined ? { ttlMs } : { ttlMs, max });
  expect(total).toBe(model.increment(name, by, { ttlMs, max }));
}

async function put(store: Store, model: Model, operation: On<"put">): Promise<void> {
  const { key: name, value, ttlMs, dueAt } = operation;
  const ifVersion = believed(model, operation);
  const allowed = ifVersion === (model.record(name)?.version ?? 0);
  const newest = model.newestVersion;
  const version = await store.put(name, value, { ifVersion, ttlMs, ...(dueAt !== undefined && { dueAt }) });
  if (!allowed) return expect(version).toBeUndefined();
  expect(version).toBeGreaterThan(newest);
  model.write(name, { value, version: version ?? 0, expiresAt: model.now + ttlMs, dueAt });
}

async function remove(store: Store, model: Model, operation: On<"remove">): Promise<void> {
  const { key: name } = operation;
  const ifVersion = believed(model, operation);
  const allowed = ifVersion === model.record(name)?.version;
  expect(await store.remove(name, ifVersion)).toBe(allowed);
  if (allowed) model.remove(name);
}

function believed(model: Model, { key: name, belief }: { key: string; belief: string }): number {
  if (belief === "absent") return 0;
  const version = model.record(name)?.version ?? 0;
  return belief === "newest" ? version : version + 1;
}

async function expectSameState(store: Store, model: Model): Promise<void> {
  const living = model.living();
  const listed = living.map(({ key: name, value, version }) => ({ key: name, value, version }));
  expect(await store.list("", { limit: 100 })).toEqual(listed);
  expect(await store.list("a", { limit: 2, after: "a" })).toEqual(
    listed.filter((record) => record.key.startsWith("a:")).slice(0, 2),
  );
  expect(await store.due(10, 100)).toEqual(model.due(10));
  const [first] = listed;
  if (first) expect(await store.get(first.key)).toEqual({ value: first.value, version: first.version });
}
