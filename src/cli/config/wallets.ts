/** Wallets of a configuration file: `{ privateKey: … }` where an option takes an account that signs. */
import { without } from "../../errors.js";
import { isPlainObject } from "../../lib/options/check.js";

type Data = Record<string, unknown>;

/** Options of payments in which keys are accounts. Throws a TypeError that shows no key. */
export async function withAccounts(payment: Data): Promise<Data> {
  const read: Data = { ...payment };
  for (const name of ["refunds", "payouts"])
    if (isPlainObject(read[name])) read[name] = await each(`payment.${name}`, read[name]);
  const { channels, mpp } = read;
  if (isPlainObject(channels)) {
    const { signer, former } = channels;
    read.channels = {
      ...channels,
      ...(signer === undefined ? {} : { signer: await accountOf("payment.channels.signer", signer) }),
      ...(Array.isArray(former) ? { former: await Promise.all(former.map(withSigner)) } : {}),
    };
  }
  if (isPlainObject(mpp) && isPlainObject(mpp.permit2))
    read.mpp = { ...mpp, permit2: await each("payment.mpp.permit2", mpp.permit2) };
  return read;
}

async function withSigner(one: unknown, index: number): Promise<unknown> {
  if (!isPlainObject(one) || one.signer === undefined) return one;
  return { ...one, signer: await accountOf(`payment.channels.former[${index}].signer`, one.signer) };
}

async function each(path: string, byNetwork: Data): Promise<Data> {
  const accounts: [string, unknown][] = [];
  for (const [network, one] of Object.entries(byNetwork))
    accounts.push([network, await accountOf(`${path}["${network}"]`, one, network.startsWith("solana:"))]);
  return Object.fromEntries(accounts);
}

/** Other values are left to the checks of the options. */
async function accountOf(path: string, value: unknown, onSolana = false): Promise<unknown> {
  if (!isPlainObject(value) || typeof value.privateKey !== "string" || Object.keys(value).length > 1) return value;
  const key = value.privateKey.trim();
  if (onSolana) return solanaPair(path, key);
  const hex = key.startsWith("0x") ? key : `0x${key}`;
  if (!/^0x[0-9a-f]{64}$/i.test(hex)) throw new TypeError(`${path}.privateKey must be 64 hexadecimal digits.`);
  const { privateKeyToAccount } = await import("viem/accounts").catch(without("viem"));
  return privateKeyToAccount(hex as `0x${string}`);
}

/** Base58 of 64 bytes, as wallets export it, or a JSON list of them, as Solana's tools store it. */
async function solanaPair(path: string, key: string) {
  const { base58 } = await import("@scure/base");
  try {
    const secretKey = key.startsWith("[") ? Uint8Array.from(JSON.parse(key) as number[]) : base58.decode(key);
    if (secretKey.length !== 64) throw new Error("of another length");
    const address = base58.encode(secretKey.subarray(32));
    return { publicKey: { toBase58: () => address }, secretKey };
  } catch {
    throw new TypeError(`${path}.privateKey must be 64 bytes in base58, or a JSON list of them.`);
  }
}
