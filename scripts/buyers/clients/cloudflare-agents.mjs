import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { withX402Client } from "agents/x402";
import { privateKeyToAccount } from "viem/accounts";

const client = new Client({ name: "buyer", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_URL)));
const account = privateKeyToAccount(process.env.BUYER_KEY);
const paying = withX402Client(client, { account, network: process.env.NETWORK });
const call = { name: "convert_unit", arguments: { value: 1, from: "kg", to: "lb" } };
console.log(JSON.stringify(await paying.callTool(null, call)));
await client.close();
