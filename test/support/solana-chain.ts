/**
 * A Solana cluster in this process: litesvm behind the JSON-RPC methods that stock buyers and facilitators call.
 * USDC lives at its real address, and can be made out of nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import {
  address,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { associatedAccountOf, MEMO_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from "./solana.js";

const SLOT_MS = 400;
/** How many blockhashes back a transaction may be. */
const BLOCKHASH_LIFE = 150;

interface Landed {
  signature: string;
  bytes: Buffer;
  accounts: readonly string[];
  memo: string | null;
  slot: number;
  err: object | null;
}

interface Call {
  id: unknown;
  method: string;
  params?: [(string | number | string[])?, Options?];
}

interface Options {
  limit?: number;
  before?: string;
}

export type SolanaChain = Awaited<ReturnType<typeof startSolanaChain>>;

export async function startSolanaChain() {
  // It knows one blockhash; the last ones are kept here.
  const svm = new LiteSVM().withBlockhashCheck(false);
  const blockhashes: string[] = [svm.latestBlockhash()];
  const landed: Landed[] = [];
  let slot = 1;

  const advance = () => {
    svm.expireBlockhash();
    blockhashes.unshift(svm.latestBlockhash());
    blockhashes.splice(BLOCKHASH_LIFE);
    slot++;
  };
  const timer = setInterval(advance, SLOT_MS);
  timer.unref();

  setAccount(svm, USDC_MINT, mintData());

  function read(base64: string) {
    const bytes = Buffer.from(base64, "base64");
    const transaction = getTransactionDecoder().decode(bytes);
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const [first] = Object.values(transaction.signatures);
    return { bytes, transaction, message, signature: getBase58Decoder().decode(first ?? new Uint8Array(64)) };
  }

  function simulate(base64: string) {
    const { transaction, message } = read(base64);
    if (!blockhashes.includes(message.lifetimeToken)) return withContext({ err: "BlockhashNotFound", logs: [] });
    const outcome = svm.withSigverify(false).simulateTransaction(transaction);
    const err = outcome instanceof FailedTransactionMetadata ? errorOf(outcome) : null;
    return withContext({ err, logs: outcome.meta().logs(), accounts: null, unitsConsumed: 0, returnData: null });
  }

  /** As a node without preflight does, it takes whatever comes; what cannot land is never seen again. */
  function send(base64: string): string {
    const { bytes, transaction, message, signature } = read(base64);
    const isNew = landed.every((entry) => entry.signature !== signature);
    if (!isNew || !blockhashes.includes(message.lifetimeToken)) return signature;
    const outcome = svm.withSigverify(true).sendTransaction(transaction);
    const err = outcome instanceof FailedTransactionMetadata ? errorOf(outcome) : null;
    const accounts = message.staticAccounts;
    const memos = message.instructions
      .filter(({ programAddressIndex }) => accounts[programAddressIndex] === MEMO_PROGRAM)
      .map(({ data = new Uint8Array() }) => `[${data.length}] ${Buffer.from(data as Uint8Array)}`);
    landed.unshift({ signature, bytes, accounts, memo: memos.join("; ") || null, slot, err });
    return signature;
  }

  const withContext = (value: unknown) => ({ context: { slot }, value });
  function accountInfo(of: string) {
    const account = svm.getAccount(address(of));
    if (!account.exists) return null;
    const { executable, programAddress } = account;
    const data = [Buffer.from(account.data).toString("base64"), "base64"];
    return {
      data,
      executable,
      lamports: Number(account.lamports),
      owner: programAddress,
      rentEpoch: 0,
      space: account.data.length,
    };
  }
  function amountIn(tokenAccount: string): bigint {
    const account = svm.getAccount(address(tokenAccount));
    return account.exists ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
  }
  function shown({ bytes, err, slot: at }: Landed) {
    return {
      slot: at,
      blockTime: null,
      version: 0,
      meta: { err, fee: 10_000 },
      transaction: [bytes.toString("base64"), "base64"],
    };
  }

  const statusOf = (signature: string) => {
    const found = landed.find((entry) => entry.signature === signature);
    return found ? { slot: found.slot, confirmations: 1, err: found.err, confirmationStatus: "confirmed" } : null;
  };

  /** Nearly every method is about one thing, an address, a signature or a transaction; some are about several. */
  const methods: Record<string, (of: string, all: string[], options: Options) => unknown> = {
    getAccountInfo: (of) => withContext(accountInfo(of)),
    getMultipleAccounts: (_, all) => withContext(all.map(accountInfo)),
    getBalance: (of) => withContext(Number(svm.getBalance(address(of)) ?? 0)),
    getTokenAccountBalance: (of) => withContext({ amount: String(amountIn(of)), decimals: 6 }),
    getMinimumBalanceForRentExemption: (bytes) => Number(svm.minimumBalanceForRentExemption(BigInt(bytes))),
    getFeeForMessage: () => withContext(10_000),
    getSlot: () => slot,
    getBlockHeight: () => slot,
    getEpochInfo: () => ({ absoluteSlot: slot, blockHeight: slot }),
    getBlockTime: () => Math.floor(Date.now() / 1000),
    getLatestBlockhash: () => withContext({ blockhash: blockhashes[0], lastValidBlockHeight: slot + BLOCKHASH_LIFE }),
    simulateTransaction: (transaction) => simulate(transaction),
    sendTransaction: (transaction) => send(transaction),
    getSignatureStatuses: (_, all) => withContext(all.map(statusOf)),
    getTransaction: (signature) => {
      const found = landed.find((entry) => entry.signature === signature);
      return found ? shown(found) : null;
    },
    getSignaturesForAddress: (of, _, { limit = 1000, before }) =>
      landed
        .slice(before === undefined ? 0 : landed.findIndex(({ signature }) => signature === before) + 1)
        .filter(({ accounts }) => accounts.includes(of))
        .slice(0, limit)
        .map(({ signature, err, memo, slot: at }) => ({ signature, err, memo, slot: at, blockTime: null })),
  };

  const server = createServer(async (request, response) => {
    const { id, method, params = [] } = (await json(request)) as Call;
    const [subject = "", options = {}] = params;
    const call = methods[method];
    const answer = call
      ? { result: call(String(subject), [subject].flat().map(String), options) }
      : { error: { code: -32601, message: `no method ${method}` } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));

  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** An owner's USDC, in atomic units. */
    balanceOf: (owner: string) => amountIn(associatedAccountOf(owner)),
    /** Gives an owner a token account with this much USDC in it, in atomic units. */
    mint: (owner: string, amount: bigint) => setAccount(svm, associatedAccountOf(owner), accountData(owner, amount)),
    airdrop: (to: string) => void svm.airdrop(address(to), lamports(1_000_000_000n)),
    /** Lets this many slots pass. */
    skip(slots: number) {
      for (let i = 0; i < slots; i++) advance();
    },
    landed,
    async stop() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const errorOf = (outcome: FailedTransactionMetadata): object => ({ InstructionError: [2, String(outcome)] });

function setAccount(svm: LiteSVM, at: string, data: Buffer): void {
  svm.setAccount({
    address: address(at),
    data: new Uint8Array(data),
    executable: false,
    lamports: lamports(1_000_000_000n),
    programAddress: address(TOKEN_PROGRAM),
    space: BigInt(data.length),
  });
}

/** The layout of a mint: no authorities, 6 decimals, initialized. */
function mintData(): Buffer {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(1_000_000_000_000n, 36);
  data[44] = 6;
  data[45] = 1;
  return data;
}

/** The layout of a token account: mint, owner, amount, then no delegate, initialized, and no close authority. */
function accountData(owner: string, amount: bigint): Buffer {
  const data = Buffer.alloc(165);
  data.set(getAddressEncoder().encode(address(USDC_MINT)), 0);
  data.set(getAddressEncoder().encode(address(owner)), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}
