/**
 * The buyers that are tried: what to install of each, and the file in `clients/` that pays with it. `version1`: it reads only
 * the body of a 402. `needs`: settings without which it is skipped.
 * @type {{ name: string, file: string, install: string[], version1?: boolean, args?: string[], needs?: string[] }[]}
 */
export const BUYERS = [
  { name: "@x402/fetch", file: "x402-fetch.mjs", install: ["@x402/fetch", "@x402/evm", "viem"] },
  { name: "@x402/axios", file: "x402-axios.mjs", install: ["@x402/axios", "@x402/evm", "axios", "viem"] },
  {
    name: "@coinbase/cdp-sdk",
    file: "cdp-sdk.mjs",
    install: ["@coinbase/cdp-sdk", "@x402/core", "@x402/evm", "@x402/fetch", "@x402/svm", "@x402/extensions", "viem"],
  },
  { name: "@coinbase/agentkit", file: "agentkit.mjs", install: ["@coinbase/agentkit", "graphql", "viem"] },
  { name: "thirdweb", file: "thirdweb.mjs", install: ["thirdweb"] },
  { name: "@dexterai/x402", file: "dexter.mjs", install: ["@dexterai/x402", "viem"] },
  {
    name: "@faremeter/fetch",
    file: "faremeter.mjs",
    install: ["@faremeter/fetch", "@faremeter/payment-evm", "@faremeter/wallet-evm"],
  },
  { name: "agentcash", file: "agentcash.mjs", install: ["agentcash", "ethers@6"] },
  { name: "mppx", file: "mppx.mjs", install: ["mppx", "viem"] },
  {
    name: "x402-mcp",
    file: "x402-mcp.mjs",
    install: ["x402-mcp", "ai@5.0.44", "@modelcontextprotocol/sdk", "viem", "zod@3"],
  },
  {
    name: "agents (Cloudflare)",
    file: "cloudflare-agents.mjs",
    install: ["agents", "@x402/core", "@x402/evm", "@modelcontextprotocol/sdk", "viem"],
  },
  { name: "x402-fetch (v1)", file: "x402-fetch-v1.mjs", install: ["x402-fetch", "viem"], version1: true },
  { name: "x402-axios (v1)", file: "x402-axios-v1.mjs", install: ["x402-axios", "axios", "viem"], version1: true },
  {
    name: "anyspend (v1)",
    file: "anyspend.mjs",
    install: ["@b3dotfun/anyspend-x402-fetch", "viem"],
    version1: true,
  },
];
