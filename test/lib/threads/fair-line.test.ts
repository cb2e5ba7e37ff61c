import { expect, it } from "vitest";
import { createFairLine } from "../../../src/lib/threads/fair-line.js";

function gateOf(): [Promise<void>, () => void] {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  return [gate, go];
}

it("serves one at a time, callers in turns, and goes on after what fails", async () => {
  const line = createFairLine();
  const [order, atOnce] = [[] as string[], { now: 0, most: 0 }];
  const work = (name: string) => async () => {
    atOnce.most = Math.max(atOnce.most, ++atOnce.now);
    await new Promise(setImmediate);
    order.push(name);
    atOnce.now--;
    if (name === "flood 1") throw new Error("failed");
    return name;
  };
  const flood = Array.from({ length: 5 }, (_, i) => line.add("flood", 1, work(`flood ${i}`)).catch(String));
  const honest = ["a", "b"].map((name) => line.add(name, 1, work(name)));
  expect(await Promise.all(honest)).toEqual(["a", "b"]);
  expect(order).toEqual(["flood 0", "flood 1", "a", "b"].slice(0, order.length));
  expect((await Promise.all(flood))[1]).toBe("Error: failed");
  expect(atOnce.most).toBe(1);
  expect(await line.add("flood", 1, work("later"))).toBe("later");
});

it("holds 16 of one caller and 200 in all, and has room again once they were served", async () => {
  const line = createFairLine();
  const [gate, go] = gateOf();
  const [shut, open] = gateOf();
  const refused = { code: "OVERLOADED", retryAfter: 1 };
  const first = line.add("first", 1, () => gate);
  const flood = Array.from({ length: 16 }, () => line.add("flood", 1, async () => {}));
  await expect(line.add("flood", 1, async () => {})).rejects.toMatchObject(refused);
  go();
  await Promise.all([first, ...flood]);
  const second = line.add("second", 1, () => shut);
  const others = Array.from({ length: 200 }, (_, i) => line.add(`other ${i}`, 1, async () => {}));
  await expect(line.add("another", 1, async () => {})).rejects.toMatchObject(refused);
  open();
  await Promise.all([second, ...others]);
  expect(await line.add("another", 1, async () => "served")).toBe("served");
});

it("holds callers without a name to the bound on all alone: they may be many", async () => {
  const line = createFairLine();
  const served = Array.from({ length: 201 }, (_, i) => line.add(undefined, 1, async () => i));
  await expect(line.add(undefined, 1, async () => {})).rejects.toMatchObject({ code: "OVERLOADED" });
  expect(await Promise.all(served)).toHaveLength(201);
});

it("gives a place in a full line to a caller who has less in it than another", async () => {
  const line = createFairLine();
  const [gate, go] = gateOf();
  const first = line.add("first", 1, () => gate);
  const names = Array.from({ length: 200 }, (_, i) => `flood ${i % 13}`);
  const flood = names.map((name) => line.add(name, 1, async () => "served").catch(({ code }) => code));
  const honest = ["a", "b"].map((name) => line.add(name, 1, async () => "served"));
  await expect(line.add("flood 3", 1, async () => {})).rejects.toMatchObject({ code: "OVERLOADED" });
  go();
  await first;
  expect(await Promise.all(honest)).toEqual(["served", "served"]);
  const refused = (await Promise.all(flood)).filter((answer) => answer === "OVERLOADED");
  expect(refused).toHaveLength(2);
});

it("holds 64 MB in all, of which few callers keep no other out", async () => {
  const line = createFairLine();
  const [gate, go] = gateOf();
  const first = line.add("first", 1, () => gate);
  const asked: Promise<string>[] = [];
  const add = (name: string, mebibytes: number) => {
    const answer = line.add(name, mebibytes * 2 ** 20, async () => name).catch(({ code }) => code as string);
    asked.push(answer);
    return answer;
  };
  for (let i = 0; i < 16; i++) void add(`flood ${i % 4}`, 4);
  const refused = add("one of twenty", 20);
  const honest = [add("honest", 4), add("small", 1)];
  go();
  await first;
  expect(await refused).toBe("OVERLOADED");
  expect(await Promise.all(honest)).toEqual(["honest", "small"]);
  expect((await Promise.all(asked)).filter((answer) => answer === "OVERLOADED")).toHaveLength(3);
  expect(await line.add("alone", 80 * 2 ** 20, async () => "served")).toBe("served");
});
