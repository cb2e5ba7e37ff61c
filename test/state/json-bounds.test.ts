/** What is judged of values before anybody has paid: counted in the reads of their elements. */
import { expect, it } from "vitest";
import { storeDocPut, storeKvPut } from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import { docBody, jsonValue } from "../../src/state/wallet/fields.js";
import { MAX_PARTS } from "../../src/state/wallet/json-bounds.js";

/** A list or an object that counts how often something in it is read. */
function counted<T extends object>(value: T) {
  let reads = 0;
  const proxy = new Proxy(value, {
    get(target, name) {
      if (typeof name === "string" && name !== "length" && name !== "toJSON") reads++;
      return Reflect.get(target, name);
    },
  });
  return { proxy, reads: () => reads };
}

it("RES-1 values with too many elements or members are refused before any of these is looked at", () => {
  for (const value of [
    Array.from({ length: 500_000 }, () => 0),
    Object.fromEntries(Array.from({ length: MAX_PARTS + 1 }, (_, i) => [`k${i}`, 0])),
  ]) {
    const { proxy, reads } = counted(value);
    const { error } = jsonValue().safeParse(proxy);
    expect(error?.issues[0]?.message).toBe("must have at most 100000 elements and members in all");
    expect(reads()).toBe(0);
    expect(docBody().safeParse({ list: value }).success).toBe(false);
  }
  const nested = Array.from({ length: 400 }, () => Array.from({ length: 300 }, () => 0));
  expect(jsonValue().safeParse(nested).success).toBe(false);
});

it("RES-1 values are judged in one pass, and written once", () => {
  const list = counted(Array.from({ length: 1000 }, () => 0));
  expect(jsonValue().safeParse(list.proxy).success).toBe(true);
  expect(list.reads()).toBe(2000);
  const members = counted(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, "v"])));
  expect(docBody().safeParse({ members: members.proxy }).success).toBe(true);
  expect(members.reads()).toBe(2000);
});

it("WAL-22 a hundred thousand members may be kept, and what is wrong is named", async () => {
  const members = Object.fromEntries(Array.from({ length: MAX_PARTS }, (_, i) => [`_${i.toString(36)}`, 1]));
  expect(jsonValue().safeParse(members).success).toBe(true);
  expect(docBody().safeParse(members).success).toBe(true);
  const ctx = createContext({}, { timeoutMs: 1000 });
  const list = Array.from({ length: MAX_PARTS + 1 }, () => 0);
  await expect(storeKvPut.parse({ ns: "n", key: "k", value: list }, ctx)).rejects.toMatchObject({
    issues: [{ path: "value" }],
  });
  await expect(storeDocPut.parse({ ns: "n", id: "d", body: { list } }, ctx)).rejects.toMatchObject({
    issues: [{ path: "body" }],
  });
  let deep: unknown = 1;
  for (let i = 0; i < 63; i++) deep = [deep];
  expect(jsonValue().safeParse(deep).error?.issues[0]?.message).toBe("must be JSON of at most 62 levels");
});
