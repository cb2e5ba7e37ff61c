/** Operations that wait for each other in this process, without a database. */
import { expect, it } from "vitest";
import { createBatches, UNDECIDED } from "../../src/stores/postgres/batches.js";

interface Op {
  key: string;
  size?: number;
}

/** A lane whose statements stay under way until they are ended. */
function openLane() {
  const sent: { keys: string[]; end(): void; fail(error: unknown): void }[] = [];
  const statement = (ops: readonly Op[]) =>
    new Promise<void>((resolve, reject) => {
      sent.push({ keys: ops.map(({ key }) => key), end: resolve, fail: reject });
    });
  const submit = createBatches<Op, string>({
    keyOf: ({ key }) => key,
    sizeOf: ({ size = 1 }) => size,
    one: (op) => statement([op]).then(() => `${op.key} alone`),
    many: (ops) => statement(ops).then(() => ops.map(({ key }) => (key.startsWith("?") ? UNDECIDED : key))),
    isUndone: (error) => error === "undone",
  });
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  return { sent, submit, turn };
}

it("gathers what is asked in one turn, and what is asked while two statements are on their way", async () => {
  const { sent, submit, turn } = openLane();
  const results = [submit({ key: "a" }), submit({ key: "b" })];
  await turn();
  results.push(submit({ key: "c" }));
  await turn();
  results.push(submit({ key: "d" }));
  await turn();
  results.push(submit({ key: "e" }));
  await turn();
  expect(sent.map(({ keys }) => keys)).toEqual([["a", "b"], ["c"]]);
  sent[1]?.end();
  await turn();
  expect(sent[2]?.keys).toEqual(["d", "e"]);
  sent[0]?.end();
  sent[2]?.end();
  expect(await Promise.all(results)).toEqual(["a", "b", "c alone", "d", "e"]);
});

it("keeps operations of one key apart, and in their order", async () => {
  const { sent, submit, turn } = openLane();
  const results = ["a", "b", "a", "c", "a"].map((key) => submit({ key }));
  for (let i = 0; i < 4; i++) {
    await turn();
    for (const { end } of sent) end();
  }
  expect(sent.map(({ keys }) => keys)).toEqual([["a", "b", "c"], ["a"], ["a"]]);
  await Promise.all(results);
});

it("sends no more than a statement may weigh, and what weighs more by itself", async () => {
  const { sent, submit, turn } = openLane();
  const sizes = [Number.POSITIVE_INFINITY, 300_000, 300_000, 1, Number.POSITIVE_INFINITY];
  const results = sizes.map((size, i) => submit({ key: String(i), size }));
  for (let i = 0; i < 5; i++) {
    await turn();
    for (const { end } of sent) end();
  }
  expect(sent.map(({ keys }) => keys)).toEqual([["0"], ["1", "3"], ["2"], ["4"]]);
  await Promise.all(results);
});

it("repeats one by one what was undone, and nothing whose end is open", async () => {
  const { sent, submit, turn } = openLane();
  const undone = Promise.allSettled([submit({ key: "a" }), submit({ key: "b" })]);
  await turn();
  sent[0]?.fail("undone");
  await turn();
  expect(sent.slice(1).map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  sent[1]?.fail("refused");
  sent[2]?.end();
  expect(await undone).toEqual([
    { status: "rejected", reason: "refused" },
    { status: "fulfilled", value: "b alone" },
  ]);
  const open = Promise.allSettled([submit({ key: "c" }), submit({ key: "d" })]);
  await turn();
  sent[3]?.fail("lost");
  expect(await open).toEqual([
    { status: "rejected", reason: "lost" },
    { status: "rejected", reason: "lost" },
  ]);
  expect(sent).toHaveLength(4);
});

it("asks again alone for what a batch left undecided, and answers the others at once", async () => {
  const { sent, submit, turn } = openLane();
  const undecided = submit({ key: "?" });
  const decided = submit({ key: "a" });
  await turn();
  sent[0]?.end();
  expect(await decided).toBe("a");
  await turn();
  expect(sent[1]?.keys).toEqual(["?"]);
  sent[1]?.end();
  expect(await undecided).toBe("? alone");
});
