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
  const flood = Array.from({ length: 5 }, (_, i) => line.add("flood", work(`flood ${i}`)).catch(String));
  const honest = ["a", "b"].map((name) => line.add(name, work(name)));
  expect(await Promise.all(honest)).toEqual(["a", "b"]);
  expect(order).toEqual(["flood 0", "flood 1", "a", "b"].slice(0, order.length));
  expect((await Promise.all(flood))[1]).toBe("Error: failed");
  expect(atOnce.most).toBe(1);
  expect(await line.add("flood", work("later"))).toBe("later");
});

it("holds 16 of one caller and 200 in all, and has room again once they were served", async () => {
  const line = createFairLine();
  const [gate, go] = gateOf();
  const [shut, open] = gateOf();
  const refused = { code: "OVERLOADED", retryAfter: 1 };
  const first = line.add("first", () => gate);
  const flood = Array.from({ length: 16 }, () => line.add("flood", async () => {}));
  await expect(line.add("flood", async () => {})).rejects.toMatchObject(refused);
  go();
  await Promise.all([first, ...flood]);
  const second = line.add("second", () => shut);
  const others = Array.from({ length: 200 }, (_, i) => line.add(`other ${i}`, async () => {}));
  await expect(line.add("another", async () => {})).rejects.toMatchObject(refused);
  open();
  await Promise.all([second, ...others]);
  expect(await line.add("another", async () => "served")).toBe("served");
});

it("holds callers without a name to the bound on all alone: they may be many", async () => {
  const line = createFairLine();
  const served = Array.from({ length: 201 }, (_, i) => line.add(undefined, async () => i));
  await expect(line.add(undefined, async () => {})).rejects.toMatchObject({ code: "OVERLOADED" });
  expect(await Promise.all(served)).toHaveLength(201);
});

it("gives a place in a full line to a caller who has less in it than another", async () => {
  const line = createFairLine();
  const [gate, go] = gateOf();
  const first = line.add("first", () => gate);
  const names = Array.from({ length: 200 }, (_, i) => `flood ${i % 13}`);
  const flood = names.map((name) => line.add(name, async () => "served").catch(({ code }) => code));
  const honest = ["a", "b"].map((name) => line.add(name, async () => "served"));
  await expect(line.add("flood 3", async () => {})).rejects.toMatchObject({ code: "OVERLOADED" });
  go();
  await first;
  expect(await Promise.all(honest)).toEqual(["served", "served"]);
  const refused = (await Promise.all(flood)).filter((answer) => answer === "OVERLOADED");
  expect(refused).toHaveLength(2);
});
