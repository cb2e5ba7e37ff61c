/** A key of a service's account in the environment pays for calls of the command line. */
import { EventEmitter } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { run } from "../../src/cli/commands/call.js";
import { createTerminal } from "../../src/cli/terminal.js";
import { createHandler } from "../../src/handler/handler.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { TREASURY } from "../support/wallets.js";

afterEach(() => vi.unstubAllGlobals());

async function open() {
  const handle = createHandler({
    capabilities: [convertUnit],
    payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } },
    accounts: { keys: true },
    fetch: fakeFacilitator().fetch,
  });
  vi.stubGlobal("fetch", (input: string | URL, init: RequestInit) => handle(new Request(input, init)));
  const written: string[] = [];
  const notes: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    ...{ isTTY: false, columns: 80, hasColors: () => false },
    write: (text: string) => void written.push(text),
  });
  const terminal = createTerminal({ stdout, stderr: { write: (text: string) => notes.push(text) } } as never);
  const call = (env: Record<string, string>) => {
    const options = { url: "http://shop.test", input: JSON.stringify({ value: "150", from: "lb", to: "kg" }) };
    return run({ terminal, words: ["convert.unit"], options, env } as never);
  };
  return { handle, call, out: () => written.join(""), notes: () => notes.join("") };
}

it("charges the account, and says so", async () => {
  const { handle, call, out, notes } = await open();
  await handle.accounts.topUp("acme", "1", { reference: "first" });
  const { key } = await handle.accounts.createKey("acme");
  expect(await call({ COINSLOT_API_KEY: key })).toBe(0);
  expect([out(), notes()]).toEqual([
    expect.stringContaining("68.0388555"),
    expect.stringContaining("Charged 0.001 USD to the account acme."),
  ]);
  expect((await handle.accounts.balance("acme")).availableUsd).toBe("0.999");
});

it("is refused where it is unknown, and not shown", async () => {
  const { call } = await open();
  const key = "svc_0123456789abcdef0123456789abcdef";
  const error: unknown = await call({ COINSLOT_API_KEY: key }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "INVALID_KEY" });
  expect(String(error)).not.toContain(key);
});
