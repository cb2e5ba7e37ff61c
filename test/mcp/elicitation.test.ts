/** A purchase above a buyer's bound: the person behind the MCP client is asked, where the client can ask. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { askByElicitation, createMcpServer } from "../../src/mcp/index.js";
import { openShop } from "../support/shop.js";

type Answer = { action: "accept" | "decline" | "cancel"; content?: { pay: boolean } };
const PURCHASE = {
  ...{ seller: "https://api.example.com/api", endpoint: "ai.chat", usd: "0.5", todayUsd: "1.5" },
  ...{ networks: ["eip155:8453"], payTo: ["0x1"] },
};

async function asking(answer: Answer | undefined) {
  const server = createMcpServer(openShop({ payment: false }).handle);
  const client = new Client({ name: "t", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  const messages: string[] = [];
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      messages.push(params.message);
      return answer;
    });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  return { agreed: await askByElicitation(server)(PURCHASE), messages };
}

it.each<[Answer | undefined, boolean]>([
  [{ action: "accept", content: { pay: true } }, true],
  [{ action: "accept", content: { pay: false } }, false],
  [{ action: "decline" }, false],
  [{ action: "cancel" }, false],
  [undefined, false],
])("BUY-6 %j is %s", async (answer, agreed) => {
  const done = await asking(answer);
  expect(done.agreed).toBe(agreed);
  if (answer) expect(done.messages[0]).toContain("ai.chat at https://api.example.com/api costs 0.5 USD");
});

it("BUY-6 anything but a server is refused", () => {
  expect(() => askByElicitation({} as never)).toThrow("an MCP server");
});
