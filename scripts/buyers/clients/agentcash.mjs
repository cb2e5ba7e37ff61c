// A program, not a library: run as its user runs it.
import { execFileSync } from "node:child_process";

const env = { ...process.env, X402_PRIVATE_KEY: process.env.BUYER_KEY };
const args = [
  "--import",
  "./local-nodes.mjs",
  "node_modules/agentcash/dist/esm/index.js",
  "fetch",
  process.env.PAID_URL,
  "--format",
  "json",
  "--yes",
];
console.log(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
