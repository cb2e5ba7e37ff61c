/** What a trial writes of its own: all others wait for its transaction, so its rows are not asked one by one. */
import { expect, it } from "vitest";
import { createEncryption } from "../../src/state/database/encryption.js";
import { putDocuments } from "../../src/state/docs/sample.js";
import { putValues } from "../../src/state/kv/sample.js";
import { putMessages } from "../../src/state/queues/sample.js";
import { putVectors } from "../../src/state/vectors/sample.js";
import type { WriteScope } from "../../src/state/wallet/scope.js";

const KINDS: [kind: string, put: (scope: WriteScope) => Promise<void>, rows: number][] = [
  ["values", putValues, 3],
  ["documents", putDocuments, 3],
  ["messages", putMessages, 4],
  ["vectors", putVectors, 3],
];

it.each(KINDS)("RES-1 asks for all sample %s of a trial before the first is answered", async (_, put, rows) => {
  const asked: string[] = [];
  const scope: WriteScope = {
    wallet: "trial:test",
    now: new Date(0),
    vectors: true,
    maxBytes: 1_000_000,
    encryption: createEncryption([]),
    grow() {},
    query(text) {
      asked.push(text);
      return new Promise(() => {});
    },
  };
  void put(scope);
  // Words of documents are made first.
  for (let i = 0; i < 1000 && asked.length < rows; i++) await new Promise(setImmediate);
  expect(asked.map((text) => /insert into /.exec(text)?.[0])).toEqual(Array(rows).fill("insert into "));
});
