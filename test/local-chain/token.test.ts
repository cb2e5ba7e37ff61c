import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { bytesToHex, concatHex, decodeEventLog, type Hex, parseSignature } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { checkEvmAsset } from "../../src/payment/rails/evm/check-asset.js";

const TYPES = {
  authorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
  cancel: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
  permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
};
const FAR_FUTURE = 4102444800n;
const wallet = () => privateKeyToAccount(generatePrivateKey());
const newNonce = () => bytesToHex(randomBytes(32));

let chain: Chain;
let relayer: Hex;

beforeAll(async () => {
  chain = await startChain();
  [relayer] = (await chain.client.getAddresses()) as [Hex];
});
afterAll(() => chain?.stop());

const domain = (on = chain) => ({
  name: "USD Coin",
  version: "2",
  chainId: on.chain.id,
  verifyingContract: on.usdc.address,
});

function signAuthorization(from: PrivateKeyAccount, message: Record<string, unknown>, receive = false): Promise<Hex> {
  const primaryType = receive ? "ReceiveWithAuthorization" : "TransferWithAuthorization";
  return from.signTypedData({ domain: domain(), types: { [primaryType]: TYPES.authorization }, primaryType, message });
}

const read = (functionName: string, args: unknown[] = []) =>
  chain.client.readContract({ ...chain.usdc, functionName, args });

/** Sends a transaction from `account`, by default an account that is no party to the transfer. */
async function send(functionName: string, args: unknown[], account: Hex = relayer) {
  const { request } = await chain.client.simulateContract({ ...chain.usdc, functionName, args, account });
  return chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(request) });
}

/** A funded wallet's authorization of one dollar to a fresh account, with its arguments in the contract's order. */
async function authorized(changes: { validAfter?: bigint; validBefore?: bigint; value?: bigint } = {}) {
  const from = wallet();
  const to = wallet();
  await chain.mint(from.address, 5_000_000n);
  const message = { value: 1_000_000n, validAfter: 0n, validBefore: FAR_FUTURE, nonce: newNonce(), ...changes };
  const { value, validAfter, validBefore, nonce } = message;
  const signature = await signAuthorization(from, { from: from.address, to: to.address, ...message });
  return { from, to, nonce, signature, args: [from.address, to.address, value, validAfter, validBefore, nonce] };
}

describe("the test token stands in for USDC", () => {
  it.each([
    {
      chainId: 8453,
      name: "USD Coin",
      separator: "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
    },
    { chainId: 84532, name: "USDC", separator: "0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818" },
  ] as const)("has the typed-data domain of the real one on chain $chainId", async ({ chainId, name, separator }) => {
    const other = await startChain({ chainId });
    const ask = (functionName: string) => other.client.readContract({ ...other.usdc, functionName });
    expect(await ask("DOMAIN_SEPARATOR")).toBe(separator);
    expect([await ask("name"), await ask("version"), await ask("decimals")]).toEqual([name, "2", 6]);
    const rpc = (method: string, params: unknown[]) => other.client.request({ method, params } as never);
    const asset = { address: other.usdc.address, name, version: "2", decimals: 6 };
    expect(await checkEvmAsset(rpc, chainId, asset)).toBeUndefined();
    expect(await checkEvmAsset(rpc, chainId, { ...asset, version: "1" })).toContain(`the name "${name}"`);
    await other.stop();
    await expect(other.client.getChainId()).rejects.toThrow();
  });

  it("moves money on an authorization, sent by anybody, in both overloads", async () => {
    const { from, to, nonce, signature, args } = await authorized();
    const receipt = await send("transferWithAuthorization", [...args, signature]);
    const events = receipt.logs.map((log) => decodeEventLog({ abi: chain.usdc.abi, ...log }).eventName);
    expect(events).toEqual(["AuthorizationUsed", "Transfer"]);
    expect(await chain.balanceOf(to.address)).toBe(1_000_000n);
    expect(await chain.balanceOf(from.address)).toBe(4_000_000n);
    expect(await read("authorizationState", [from.address, nonce])).toBe(true);

    const second = await authorized();
    const { v, r, s } = parseSignature(second.signature);
    await send("transferWithAuthorization", [...second.args, Number(v), r, s]);
    expect(await chain.balanceOf(second.to.address)).toBe(1_000_000n);
  });

  it("refuses an authorization that was used", async () => {
    const { signature, args } = await authorized();
    await send("transferWithAuthorization", [...args, signature]);
    await expect(send("transferWithAuthorization", [...args, signature])).rejects.toThrow(
      "FiatTokenV2: authorization is used or canceled",
    );
  });

  it.each([
    { changes: { validBefore: 1n }, text: "FiatTokenV2: authorization is expired" },
    { changes: { validAfter: FAR_FUTURE - 1n }, text: "FiatTokenV2: authorization is not yet valid" },
    { changes: { value: 5_000_001n }, text: "ERC20: transfer amount exceeds balance" },
  ])("says '$text'", async ({ changes, text }) => {
    const { to, signature, args } = await authorized(changes);
    await expect(send("transferWithAuthorization", [...args, signature])).rejects.toThrow(text);
    expect(await chain.balanceOf(to.address)).toBe(0n);
  });

  it("refuses a signature of somebody else, for another amount, of the wrong length, or mirrored", async () => {
    const { from, to, nonce, signature, args } = await authorized();
    const message = { from: from.address, to: to.address, validAfter: 0n, validBefore: FAR_FUTURE, nonce };
    const foreign = await signAuthorization(wallet(), { ...message, value: 1_000_000n });
    const cheaper = await signAuthorization(from, { ...message, value: 1n });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const { r, s, yParity } = parseSignature(signature);
    const mirroredS: Hex = `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}`;
    const mirrored = concatHex([r, mirroredS, yParity === 0 ? "0x1c" : "0x1b"]);

    const attempt = (bytes: Hex) => send("transferWithAuthorization", [...args, bytes]);
    await expect(attempt(foreign)).rejects.toThrow("FiatTokenV2: invalid signature");
    await expect(attempt(cheaper)).rejects.toThrow("FiatTokenV2: invalid signature");
    await expect(attempt("0x1234")).rejects.toThrow("ECRecover: invalid signature length");
    await expect(attempt(mirrored)).rejects.toThrow("ECRecover: invalid signature 's' value");
    expect(await chain.balanceOf(to.address)).toBe(0n);
  });

  it("asks a contract wallet for its opinion (EIP-1271)", async () => {
    const owner = wallet();
    const safe = await smartWallet(owner.address);
    const to = wallet().address;
    await chain.mint(safe, 2_000_000n);
    const message = { from: safe, to, value: 1_000_000n, validAfter: 0n, validBefore: FAR_FUTURE, nonce: newNonce() };
    const args = [safe, to, 1_000_000n, 0n, FAR_FUTURE, message.nonce];
    const signature = await signAuthorization(owner, message);
    const stranger = await signAuthorization(wallet(), message);

    const attempt = (bytes: Hex) => send("transferWithAuthorization", [...args, bytes]);
    await expect(attempt(concatHex(["0x01", stranger]))).rejects.toThrow("FiatTokenV2: invalid signature");
    await expect(attempt(signature)).rejects.toThrow("FiatTokenV2: invalid signature");
    await attempt(concatHex(["0x01", signature]));
    expect(await chain.balanceOf(to)).toBe(1_000_000n);
  });

  it("lets only the payee receive with an authorization", async () => {
    const from = wallet();
    await chain.mint(from.address, 1_000_000n);
    const rest = { value: 7n, validAfter: 0n, validBefore: FAR_FUTURE, nonce: newNonce() };
    const [, payee, other] = (await chain.client.getAddresses()) as [Hex, Hex, Hex];
    const signature = await signAuthorization(from, { from: from.address, to: payee, ...rest }, true);
    const args = [from.address, payee, 7n, 0n, FAR_FUTURE, rest.nonce, signature];
    await expect(send("receiveWithAuthorization", args, other)).rejects.toThrow(
      "FiatTokenV2: caller must be the payee",
    );
    await send("receiveWithAuthorization", args, payee);
    expect(await chain.balanceOf(payee)).toBe(7n);
  });

  it("lets a payer cancel", async () => {
    const { from, nonce, signature, args } = await authorized();
    const cancel = await from.signTypedData({
      domain: domain(),
      types: { CancelAuthorization: TYPES.cancel },
      primaryType: "CancelAuthorization",
      message: { authorizer: from.address, nonce },
    });
    const receipt = await send("cancelAuthorization", [from.address, nonce, cancel]);
    const [log] = receipt.logs;
    expect(log && decodeEventLog({ abi: chain.usdc.abi, ...log }).eventName).toBe("AuthorizationCanceled");
    await expect(send("transferWithAuthorization", [...args, signature])).rejects.toThrow("used or canceled");
  });

  it("takes permits, once each (EIP-2612)", async () => {
    const owner = wallet();
    const spender = relayer;
    await chain.mint(owner.address, 10n);
    const message = { owner: owner.address, spender, value: 4n, nonce: 0n, deadline: FAR_FUTURE };
    const types = { Permit: TYPES.permit };
    const signature = await owner.signTypedData({ domain: domain(), types, primaryType: "Permit", message });
    const { v, r, s } = parseSignature(signature);
    const args = [owner.address, spender, 4n, FAR_FUTURE, Number(v), r, s];
    await send("permit", args);
    await expect(send("permit", args)).rejects.toThrow("EIP2612: invalid signature");
    await send("transferFrom", [owner.address, spender, 4n]);
    expect(await chain.balanceOf(owner.address)).toBe(6n);
    await expect(send("transferFrom", [owner.address, spender, 1n])).rejects.toThrow("exceeds allowance");
  });
});

/** A contract wallet that `owner` signs for. */
async function smartWallet(owner: Hex): Promise<Hex> {
  const source = new URL("../support/contracts/SmartWallet.artifact.json", import.meta.url);
  const { abi, deployedBytecode } = JSON.parse(readFileSync(source, "utf8"));
  const { address } = wallet();
  await chain.client.setCode({ address, bytecode: deployedBytecode });
  const call = { address, abi, functionName: "initialize", args: [owner], account: relayer, chain: chain.chain };
  await chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(call) });
  return address;
}
