/** How many deliveries may start beside those that run. */
import { expect, it } from "vitest";
import { type DeliveryTask, roomBeside } from "../../src/state/webhooks/places.js";

const NOW = 100_000;
let hosts = 0;
const tasks = (count: number, of: Partial<DeliveryTask> = {}): DeliveryTask[] =>
  Array.from({ length: count }, () => ({ origin: `h${hosts++}`, wallet: "w", isWell: false, since: 0, ...of }));
const quick = { since: NOW - 399 };

it("32 may start at once, 16 of them to receivers that did not answer their last message", () => {
  const none = { limit: 32, busyOrigins: [], busyWallets: [] };
  const idle = { ...none, well: { limit: 32, busyWallets: [] }, doubtful: { limit: 16, busyWallets: [] } };
  expect(roomBeside([], NOW)).toEqual(idle);
  const busy = roomBeside(tasks(16, quick), NOW);
  expect([busy.limit, busy.well.limit, busy.doubtful.limit]).toEqual([16, 32, 0]);
  expect(roomBeside(tasks(8, quick), NOW).busyWallets).toEqual(["w"]);
  expect(roomBeside([...tasks(7, quick), ...tasks(40)], NOW).busyWallets).toEqual([]);
});

it("places of one kind of receivers are no places of the other", () => {
  const doubtful = tasks(128);
  const room = roomBeside(doubtful, NOW);
  expect([room.limit, room.well, room.doubtful.limit]).toEqual([32, { limit: 32, busyWallets: [] }, 0]);
  expect(room.busyOrigins).toEqual(doubtful.map(({ origin }) => origin));
  const full = roomBeside([...doubtful, ...tasks(140, { isWell: true })], NOW);
  expect([full.limit, full.well.limit, full.doubtful.limit]).toEqual([0, 0, 0]);
});

it("a wallet has its part when it holds as many places as are free, so whoever holds none comes first", () => {
  expect(roomBeside(tasks(63), NOW).doubtful.busyWallets).toEqual([]);
  const half = roomBeside([...tasks(64), ...tasks(63, { isWell: true })], NOW);
  expect(half.doubtful).toEqual({ limit: 16, busyWallets: ["w"] });
  expect(half.well).toEqual({ limit: 32, busyWallets: [] });
  const many = Array.from({ length: 15 }, (_, i) => tasks(8, { wallet: `w${i}` })).flat();
  expect(roomBeside(many, NOW).doubtful.busyWallets).toHaveLength(15);
  const others = tasks(126).map((one, i) => ({ ...one, wallet: `w${i}` }));
  expect(roomBeside(others, NOW).doubtful).toEqual({ limit: 2, busyWallets: [] });
});
