import { expect, it } from "vitest";
import { createFairLine } from "../../../src/lib/threads/fair-line.js";

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
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const refused = { code: "OVERLOADED", retryAfter: 1 };
  const first = line.add("first", () => gate);
  const flood = Array.from({ length: 16 }, () => line.add("flood", async () => {}));
  await expect(line.add("flood", async () => {})).rejects.toMatchObject(refused);
  const others = Array.from({ length: 184 }, (_, i) => line.add(`other ${i}`, async () => {}));
  await expect(line.add("another", async () => {})).rejects.toMatchObject(refused);
  go();
  await Promise.all([first, ...flood, ...others]);
  expect(await line.add("another", async () => "served")).toBe("served");
});

it("holds callers without a name to the bound on all alone: they may be many", async () => {
  const line = createFairLine();
  const served = Array.from({ length: 201 }, (_, i) => line.add(undefined, async () => i));
  await expect(line.add(undefined, async () => {})).rejects.toMatchObject({ code: "OVERLOADED" });
  expect(await Promise.all(served)).toHaveLength(201);
});
