/** APPR-1: a person agrees to dear calls, in both eras of the protocol, before anything is charged. */
import { Client as NewerClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMcpServer } from "../../src/mcp/index.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { open } from "../jobs/job-shop.js";
import { fakeClock } from "../support/clock.js";
import { legacy, READS, type Sent, send, withKey } from "../support/mcp.js";

const DEAR = "/test/dear?n=1";
const BOUND = { mcp: { askAboveUsd: "0.10" }, accounts: { keys: true } };
const ASKS = { elicitation: { form: {} } };
const YES = { approve: { action: "accept", content: { pay: true } } };

type Shop = ReturnType<typeof open>;
type Answer = { action: "accept" | "decline" | "cancel"; content?: { pay: boolean } };

const dear = (n = 1, name = "test_dear") => ({ name, arguments: { n } });

async function call(shop: Shop, params: Record<string, unknown>, sent: Sent) {
  const { result, error } = await send(shop, "tools/call", params, { capabilities: ASKS, ...sent });
  return { ...result, code: error?.code } as Record<string, unknown> & { requestState?: string };
}

const charged = async (shop: Shop, account = "ada") =>
  1 - Number((await shop.handle.accounts.balance(account)).availableUsd);

/** A client over an open connection, whose person answers so. */
async function connected(shop: Shop, answer: Answer | undefined) {
  const server = createMcpServer(shop.handle, BOUND.mcp);
  const client = new Client({ name: "t", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  const asked: string[] = [];
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  return { client, asked };
}

describe("in the eras with a handshake", () => {
  it.each<[string, Answer | undefined, number]>([
    ["yes", { action: "accept", content: { pay: true } }, 1],
    ["an unticked box", { action: "accept", content: { pay: false } }, 0],
    ["no", { action: "decline" }, 0],
    ["nothing", { action: "cancel" }, 0],
    ["nobody to ask", undefined, 0],
  ])("APPR-1 over an open connection %s decides about a signed payment", async (_, answer, settled) => {
    const shop = open();
    const { client, asked } = await connected(shop, answer);
    const _meta = { "x402/payment": { ...(await shop.payFor(DEAR)) } };
    const result = await client.callTool({ ...dear(), _meta });
    expect([shop.facilitator.settled.length, shop.runs()]).toEqual([settled, settled]);
    expect(asked.length).toBe(answer ? 1 : 0);
    if (settled) return expect(result.structuredContent).toMatchObject({ meta: { costUsd: "0.5" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^SPENDING_LIMIT.*0\.5 USD/) }],
    });
  });

  it("APPR-2 asks nobody about a cheap call, nor about one that nothing pays for", async () => {
    const shop = open({ trial: { perHour: 1 } });
    const { client, asked } = await connected(shop, { action: "decline" });
    const _meta = { "x402/payment": { ...(await shop.payFor("/test/work?n=1")) } };
    expect((await client.callTool({ ...dear(1, "test_work"), _meta })).isError).toBeUndefined();
    const quote = await client.callTool({ ...dear(), _meta: {} });
    expect(quote.structuredContent).toMatchObject({ accepts: [{ amount: "500000" }] });
    expect(asked).toEqual([]);
  });

  it("APPR-2 leaves a caller that the host's login does not know its trial and its quote", async () => {
    const login = { keys: true, identify: async () => undefined, origins: [] };
    const shop = open({ ...BOUND, accounts: login, trial: { perHour: 1 } });
    const client = await legacy(shop);
    expect((await client.callTool(dear(1, "test_work"))).structuredContent).toMatchObject({
      meta: { caller: "trial" },
    });
    const quote = await client.callTool(dear());
    expect(quote.structuredContent).toMatchObject({ accepts: [{ amount: "500000" }] });
  });

  it("APPR-3 asks about what the account of the host's login would pay", async () => {
    const login = { keys: true, identify: async () => ({ id: "ada" }), origins: [] };
    const shop = open({ ...BOUND, accounts: login });
    await withKey(shop, "ada");
    expect(await call(shop, dear(), {})).toMatchObject({ resultType: "input_required" });
    expect(await charged(shop)).toBe(0);
  });

  it("APPR-3 over HTTP, where no answer could come back, a dear call is refused", async () => {
    const shop = open(BOUND);
    const client = await legacy(shop, await withKey(shop, "ada"));
    const refused = await client.callTool(dear());
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("cannot ask") }] });
    expect((await client.callTool(dear(1, "test_work"))).isError).toBeUndefined();
    expect(await charged(shop)).toBeCloseTo(0.001, 6);
  });
});

describe("in the era of 2026-07-28", () => {
  it("APPR-4 the official client asks its person between two calls, and an account pays once", async () => {
    const shop = open(BOUND);
    const key = await withKey(shop, "ada");
    const asked: string[] = [];
    const client = new NewerClient(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: ASKS },
    );
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return { action: "accept" as const, content: { pay: true } };
    });
    const transport = new StreamableHTTPClientTransport(new URL("http://shop.test/api/mcp"), {
      fetch: (input, init) => shop.handle(new Request(input, init), { clientAddress: "203.0.113.7" }),
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    // Progress is told under another token in each of the two calls.
    const result = await client.callTool(dear(), { onprogress: () => {} });
    expect(result.structuredContent).toMatchObject({ meta: { costUsd: "0.5" } });
    expect(asked).toEqual([expect.stringContaining("test.dear at Coinslot costs 0.5 USD")]);
    expect([await charged(shop), shop.runs()]).toEqual([0.5, 1]);
  });

  it("APPR-5 an agreement is for one call, of one payer, once, and for ten minutes", async () => {
    const clock = fakeClock();
    const shared = { ...BOUND, clock, store: createMemoryStore({ clock }) };
    const shop = open(shared);
    const other = open({ ...shared, facilitator: shop.facilitator });
    const [ada, bob] = [await withKey(shop, "ada"), await withKey(shop, "bob")];
    const question = await call(shop, dear(), { key: ada });
    expect(question).toMatchObject({
      resultType: "input_required",
      inputRequests: { approve: { method: "elicitation/create", params: { requestedSchema: { required: ["pay"] } } } },
    });
    expect(question.requestState).not.toContain("0.5");
    const state = { requestState: question.requestState, inputResponses: YES };
    const [text = "", seal = ""] = (question.requestState ?? "").split(".");
    const raised = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(text, "base64url").toString()), usd: "9" }));
    for (const [params, key] of [
      [{ ...dear(2), ...state }, ada],
      [{ ...dear(1, "test_other"), ...state }, ada],
      [{ ...dear(), ...state }, bob],
      [{ ...dear(), ...state, requestState: `${raised.toString("base64url")}.${seal}` }, ada],
      [{ ...dear(), ...state, requestState: "a" }, ada],
      [{ ...dear(), ...state, requestState: "." }, ada],
    ] as const)
      expect((await call(shop, params, { key })).code).toBe(-32_602);
    expect([await charged(shop), await charged(shop, "bob"), shop.runs()]).toEqual([0, 0, 0]);
    // The answer may come to another instance, and only one of two copies counts.
    const copies = await Promise.all([
      call(other, { ...dear(), ...state }, { key: ada }),
      call(shop, { ...dear(), ...state }, { key: ada }),
    ]);
    expect(copies.map(({ code }) => code).sort()).toEqual([-32_602, undefined]);
    expect(await charged(shop)).toBe(0.5);
    const late = await call(shop, dear(), { key: ada });
    clock.advance(601);
    expect(
      (await call(shop, { ...dear(), requestState: late.requestState, inputResponses: YES }, { key: ada })).code,
    ).toBe(-32_602);
    expect(await charged(shop)).toBe(0.5);
  });

  it.each([{ approve: { action: "decline" } }, { approve: { action: "accept", content: { pay: "true" } } }, {}])(
    "APPR-6 %j is no agreement",
    async (inputResponses) => {
      const shop = open(BOUND);
      const key = await withKey(shop, "ada");
      const { requestState } = await call(shop, dear(), { key });
      const refused = await call(shop, { ...dear(), requestState, inputResponses }, { key });
      expect(refused).toMatchObject({ resultType: "complete", isError: true });
      expect([await charged(shop), shop.runs()]).toEqual([0, 0]);
    },
  );

  it("APPR-7 a client that asks nobody gets the protocol's error, and nothing is charged", async () => {
    const shop = open(BOUND);
    const key = await withKey(shop, "ada");
    const { error } = await send(shop, "tools/call", dear(), { key, capabilities: {} });
    expect(error).toMatchObject({ code: -32_021, data: { requiredCapabilities: { elicitation: {} } } });
    expect([await charged(shop), shop.runs()]).toEqual([0, 0]);
  });

  it("APPR-8 a call names a lower bound of its own, and never a higher one", async () => {
    const shop = open(BOUND);
    const key = await withKey(shop, "ada");
    const own = (usd: unknown, name = "test_work") =>
      call(shop, dear(1, name), { key, meta: { "svc/ask-above-usd": usd } });
    expect(await own("0.0005")).toMatchObject({ resultType: "input_required" });
    expect(await own("0.001")).toMatchObject({ resultType: "complete" });
    expect(await own("100", "test_dear")).toMatchObject({ resultType: "input_required" });
    for (const wrong of ["a cent", "-1", 1, null, {}])
      expect(await own(wrong)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("ask-above-usd") }],
      });
    const free = open({ accounts: { keys: true } });
    const other = await withKey(free, "ada");
    const asked = await call(free, dear(), { key: other, meta: { "svc/ask-above-usd": "0.1" } });
    expect(asked).toMatchObject({ resultType: "input_required" });
    expect([await charged(shop), await charged(free)]).toEqual([expect.closeTo(0.001, 6), 0]);
  });

  it("APPR-9 a signed payment that was agreed to buys a task, and its state is no part of it", async () => {
    const shop = open(BOUND);
    const meta = { "x402/payment": { ...(await shop.payFor(DEAR)) }, "svc/task": true };
    const capabilities = { ...ASKS, ...READS };
    const { requestState, ...question } = await call(shop, dear(), { meta, capabilities });
    expect(question).toMatchObject({ resultType: "input_required" });
    expect(shop.facilitator.settled.length).toBe(0);
    const task = await call(shop, { ...dear(), requestState, inputResponses: YES }, { meta, capabilities });
    expect(task).toMatchObject({ resultType: "task" });
    expect(task.requestState).toBeUndefined();
    expect(await shop.ended(task.taskId as string)).toMatchObject({ state: "done", costUsd: "0.5" });
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("APPR-10 a bound that is no amount is refused at the start", () => {
    expect(() => open({ mcp: { askAboveUsd: "much" } })).toThrow("mcp.askAboveUsd");
  });
});
