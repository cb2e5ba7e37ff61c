import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { experimental_createMCPClient as createMCPClient } from "ai";
import { privateKeyToAccount } from "viem/accounts";
import { withPayment } from "x402-mcp";

const transport = new StreamableHTTPClientTransport(new URL(process.env.MCP_URL));
const client = await withPayment(await createMCPClient({ transport }), {
  account: privateKeyToAccount(process.env.BUYER_KEY),
  network: "base",
});
// A model reads the quote, has it signed by a tool, and calls again: what it would say is said here.
const tools = await client.tools();
const convert = tools.convert_unit;
const sign = Object.entries(tools).find(([name]) => /authorization/i.test(name))[1];
const options = { toolCallId: "1", messages: [] };
const input = { value: 1, from: "kg", to: "lb" };
const quote = await convert.execute(input, options);
const [paymentRequirements] = JSON.parse(quote.content[0].text).accepts;
const { paymentAuthorization } = await sign.execute({ paymentRequirements }, options);
console.log(JSON.stringify(await convert.execute({ ...input, paymentAuthorization }, options)));
await client.close();
