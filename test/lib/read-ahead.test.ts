/** What is read ahead of slow readers, and where reading pauses. */
import { describe, expect, it } from "vitest";
import { type Ahead, createAhead, createUnreadRoom, type UnreadRoom } from "../../src/lib/read-ahead.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const open = (room: UnreadRoom, most = 1000) =>
  createAhead<string>({ sizeOf: ({ length }) => length, join: (first, second) => first + second, most, room });

/** Puts items as a source does, one after the other, and tells how many it got rid of. */
function fill(ahead: Ahead<string>, count: number, size = 10) {
  const put = { done: 0 };
  void (async () => {
    for (let n = 0; n < count; n++) {
      await ahead.put("x".repeat(size));
      put.done++;
    }
    ahead.end();
  })();
  return put;
}

async function readAll(ahead: Ahead<string>): Promise<number> {
  let read = 0;
  for await (const { length } of ahead.items()) read += length;
  return read;
}

describe("what is read ahead of many readers", () => {
  it("pauses the source whose reader leaves most unread, and no other, and nothing is lost", async () => {
    const room = createUnreadRoom(300);
    const [slow, fast, other] = [open(room), open(room), open(room)];
    const most = fill(slow, 100);
    await turn();
    expect(most.done).toBe(30);
    const few = fill(other, 9);
    const quick = fill(fast, 100);
    expect(await readAll(fast)).toBe(1000);
    await turn();
    expect([quick.done, few.done]).toEqual([100, 9]);
    expect(most.done).toBeLessThan(100);
    expect(await readAll(slow)).toBe(1000);
    expect(await readAll(other)).toBe(90);
  });

  it("never exceeds the room by more than an item of each, however many there are", async () => {
    const room = createUnreadRoom(300);
    const all = Array.from({ length: 40 }, () => open(room));
    const puts = all.map((ahead) => fill(ahead, 100));
    for (let n = 0; n < 20; n++) await turn();
    const held = puts.reduce((sum, { done }) => sum + (done + 1) * 10, 0);
    expect(held).toBeLessThanOrEqual(300 + 40 * 10);
    expect(await Promise.all(all.map(readAll))).toEqual(Array(40).fill(1000));
  });

  it("goes on when others leave without reading", async () => {
    const room = createUnreadRoom(300);
    const [leaver, stayer] = [open(room), open(room)];
    fill(leaver, 100);
    const stays = fill(stayer, 20, 10);
    await turn();
    expect(stays.done).toBeLessThan(20);
    const items = leaver.items();
    await items.next();
    await items.return();
    await turn();
    expect(stays.done).toBe(20);
    expect(await readAll(stayer)).toBe(200);
    const next = open(room);
    const after = fill(next, 30);
    await turn();
    expect(after.done).toBe(30);
  });
});
