// A private EVM chain with USDC on it, in memory: anvil, and a test token at the address where USDC lives.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTestClient, defineChain, http, publicActions, walletActions } from "viem";
import { oneAtATime } from "./one-at-a-time.js";

/** Stock buyers pay only assets that they know, so the test token stands at the address of the real one. */
const USDC = /** @type {const} */ ({
  8453: { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", network: "Local copy of Base" },
  84532: { address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", network: "Local copy of Base Sepolia" },
});
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

const tokenArtifact = readArtifact("TestUSDC");
const multicallArtifact = readArtifact("Multicall");

/** @typedef {Awaited<ReturnType<typeof startChain>>} Chain */
/** @typedef {import("viem").Address} Address */

/**
 * Starts a chain whose blocks appear with each transaction. Amounts of USDC are atomic units: 1000000n is one dollar.
 * @param {{ chainId?: 8453 | 84532, port?: number }} [options] port 0 takes a free one
 */
export async function startChain({ chainId = 8453, port = 0 } = {}) {
  const { address, network } = USDC[chainId];
  const { rpcUrl, stop } = await startAnvil({ chainId, port });
  const chain = defineChain({
    id: chainId,
    name: network,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = createTestClient({
    mode: "anvil",
    chain,
    transport: http(rpcUrl, { retryCount: 0 }),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);

  await client.setCode({ address, bytecode: tokenArtifact.deployedBytecode });
  await client.setCode({ address: MULTICALL3, bytecode: multicallArtifact.deployedBytecode });
  const [banker] = await client.getAddresses();
  if (!banker) throw new Error("anvil has no account to send transactions from");
  const inTurn = oneAtATime();

  return {
    rpcUrl,
    chain,
    client,
    /** The chain's CAIP-2 name, as offers carry it. */
    network: /** @type {const} */ (`eip155:${chainId}`),
    usdc: { address, abi: tokenArtifact.abi },

    /**
     * Makes USDC out of nothing.
     * @param {Address} to
     * @param {bigint} amount
     */
    async mint(to, amount) {
      const call = { address, abi: tokenArtifact.abi, functionName: "mint", args: [to, amount] };
      const hash = await inTurn(() => client.writeContract({ ...call, account: banker, chain }));
      await client.waitForTransactionReceipt({ hash });
    },

    /**
     * An account's USDC.
     * @param {Address} account
     */
    async balanceOf(account) {
      const call = { address, abi: tokenArtifact.abi, functionName: "balanceOf", args: [account] };
      return /** @type {bigint} */ (await client.readContract(call));
    },

    stop,
  };
}

/**
 * @param {{ chainId: number, port: number }} options
 * @returns {Promise<{ rpcUrl: string, stop: () => Promise<void> }>}
 */
async function startAnvil({ chainId, port }) {
  const runner = fileURLToPath(new URL("anvil.js", import.meta.url));
  const args = ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId)];
  // In a process group of its own it does not get the terminal's Ctrl-C, which our own shutdown has to see first.
  const child = spawn(process.execPath, [runner, ...args], { stdio: ["pipe", "pipe", "pipe"], detached: true });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });

  const listening = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /^Listening on (\S+)/.exec(line);
      if (match) resolve(`http://${match[1]}`);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The local chain did not start. ${errors.trim()}`)));
  });
  const rpcUrl = /** @type {string} */ (await listening);

  // A chain that somebody forgot to stop must not keep the process alive.
  child.unref();
  for (const stream of child.stdio) /** @type {import("node:net").Socket} */ (stream).unref();

  return {
    rpcUrl,
    async stop() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * @param {string} name
 * @returns {{ abi: import("viem").Abi, deployedBytecode: import("viem").Hex }}
 */
function readArtifact(name) {
  return JSON.parse(readFileSync(new URL(`contracts/${name}.artifact.json`, import.meta.url), "utf8"));
}
