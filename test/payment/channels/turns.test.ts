/** Whose turn it is on a channel. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createChannelQueue } from "../../../src/payment/channels/vouchers/queue.js";

const arrival = (request: string, ceiling: bigint) => ({ request, ceiling, deposits: false });

it("is kept for the call that was corrected, and not for another one that knows as much by then", async () => {
  const queue = createChannelQueue();
  const first = await queue.take("c", arrival("one", 1000n));
  first?.end({ ...arrival("one", 1000n), charged: 1000n });
  const order: string[] = [];
  const other = queue.take("c", arrival("two", 2000n)).then((turn) => {
    order.push("two");
    return turn;
  });
  await nextTurn();
  const again = await queue.take("c", arrival("one", 2000n));
  order.push("one");
  again?.end();
  (await other)?.end();
  expect(order).toEqual(["one", "two"]);
});
