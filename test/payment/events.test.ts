import { expect, it } from "vitest";
import { type CallEvent, createEmit } from "../../src/payment/events/events.js";

const CHANNEL: CallEvent = {
  kind: "channel",
  outcome: "swept",
  id: "channels",
  channelUsd: "1",
  network: "eip155:8453",
};
const LOSS: CallEvent = {
  ...{ kind: "loss", outcome: "lost", id: "test.work", requestId: "r", lostUsd: "1", payer: "0xa" },
  ...{ network: "eip155:8453", durationMs: 1 },
};
const CALL: CallEvent = {
  ...{ kind: "call", outcome: "failed", id: "test.work", requestId: "r", caller: "none" },
  ...{ status: 500, durationMs: 1, code: "INTERNAL", error: new Error("key=secret") },
};

it("logs each event under its kind, and a call's without its error, which may hold keys", () => {
  const logged: unknown[][] = [];
  const told: CallEvent[] = [];
  const logger = { debug() {}, warn() {}, error() {}, info: (...line: unknown[]) => logged.push(line) };
  const emit = createEmit({ onCall: (event) => void told.push(event), logger });
  for (const event of [CALL, CHANNEL, LOSS]) emit(event);
  expect(told).toEqual([CALL, CHANNEL, LOSS]);
  expect(logged.map(([, name]) => name)).toEqual(["call", "channel", "loss"]);
  expect(logged[0]?.[0]).not.toHaveProperty("error");
});
