/** Optional packages, and the features that need them. */
export const PACKAGES: readonly (readonly [name: string, what: string])[] = [
  ["puppeteer-core", "screenshots"],
  ["@sparticuz/chromium", "screenshots, where no browser is installed"],
  ["@napi-rs/canvas", "PNG pictures and countdowns"],
  ["openai", "ai.*"],
  ["@solana/web3.js", "payments on Solana"],
  ["bwip-js", "codes other than QR"],
  ["date-holidays", "holidays and business days"],
  ["@x402/evm", "paying with WALLET_KEY"],
  ["@x402/svm", "paying with SOLANA_KEY"],
  ["@modelcontextprotocol/sdk", "coinslot mcp, and MCP over HTTP"],
  ["ioredis", "REDIS_URL"],
  ["pg", "DATABASE_URL"],
];
