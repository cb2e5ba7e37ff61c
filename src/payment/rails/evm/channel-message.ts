/** A buyer's message by channel: a voucher, alone or with a deposit, or a request for a refund. */
import { z } from "zod";
import { lazy, once } from "../../../lib/lazy.js";
import type { Micros } from "../../../lib/money.js";
import type { ChannelKey } from "../../options/channels.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload } from "../../x402/wire.js";
import type { ChannelMessage, ChannelTerms } from "../channel.js";
import type { Rpc } from "../rpc.js";
import { recoverOnChain } from "./chain/recover.js";
import { address, isSignedBy, isSignedByContract, sameAddress, uint256 } from "./chain/signature.js";
import { hashTypedData } from "./chain/typed-data.js";
import { type DepositReader, depositAuthorization } from "./channel-deposits.js";
import { type ChannelConfig, type ChannelHashes, channelHashes } from "./channel-typed-data.js";
import type { Token } from "./transfer.js";

const MAX_UINT128 = 2n ** 128n - 1n;
/** Half a kilobyte each. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 800;

const bytes32 = once(() => z.string().regex(/^0x[0-9a-fA-F]{64}$/));
const uint128 = once(() => uint256().refine((text) => /^\d{1,39}$/.test(text) && BigInt(text) <= MAX_UINT128));
const config = once(() =>
  z.object({
    payer: address(),
    payerAuthorizer: address(),
    receiver: address(),
    receiverAuthorizer: address(),
    token: address(),
    withdrawDelay: z.int().min(0).max(2_592_000),
    salt: bytes32(),
  }),
);
const voucher = once(() =>
  z.object({
    channelId: bytes32(),
    maxClaimableAmount: uint128(),
    // Plain ECDSA alone: 65 bytes.
    signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
  }),
);
const deposit = once(() => z.object({ amount: uint128(), authorization: depositAuthorization() }));
/** Read separately, because most configurations are cached. */
const channelConfig = once(() => z.record(z.string(), z.unknown()));
const message = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("voucher"), channelConfig: channelConfig(), voucher: voucher() }),
    z.object({
      type: z.literal("refund"),
      channelConfig: channelConfig(),
      voucher: voucher(),
      amount: z.unknown().optional(),
    }),
    z.object({ type: z.literal("deposit"), channelConfig: channelConfig(), voucher: voucher(), deposit: deposit() }),
  ]),
);

type SentDeposit = Extract<z.infer<ReturnType<typeof message>>, { type: "deposit" }>;

export interface MessageOptions {
  chainId: number;
  asset: Token;
  deposits: DepositReader;
  payTo: string;
  keys: readonly ChannelKey[];
  minDeposit: Micros;
  rpc: Rpc;
}

/** A channel of this host. */
interface Known {
  id: string;
  config: ChannelConfig;
  terms: ChannelTerms;
}

export interface ChannelMessages {
  /** Throws PaymentRefused; checks that need no elliptic curve come before the signature. */
  read(payment: PaymentPayload): Promise<ChannelMessage>;
  /** Throws PaymentRefused if a channel of this configuration belongs to another host. */
  assertOurs(config: ChannelConfig): void;
}

export function channelMessages({
  chainId,
  asset,
  deposits,
  payTo,
  keys,
  minDeposit,
  rpc,
}: MessageOptions): ChannelMessages {
  const tools = lazy(async () => {
    const [hashes, { LRUCache }] = await Promise.all([channelHashes(chainId), import("lru-cache")]);
    /** Cached by the text of the configuration, only after a signature was verified. */
    return { ...hashes, known: new LRUCache<string, Known>({ max: MAX_KNOWN }) };
  });

  /** A stranger's invalid message costs a few hashes. */
  async function read({ payload, allowances }: PaymentPayload): Promise<ChannelMessage> {
    const parsed = message().safeParse(payload);
    if (!parsed.success) throw malformed();
    const sent = parsed.data;
    const text = JSON.stringify(sent.channelConfig);
    const { idOf, voucherDigest, depositNonce, known } = await tools();
    const channel = known.get(text) ?? open(sent.channelConfig, idOf);
    const { id, terms, config } = channel;
    // guard: channel: the id is that of the configuration | gone | vouchers --channels
    if (sent.voucher.channelId.toLowerCase() !== id) throw mismatch("channelId is not that of its channelConfig");
    const ceiling = BigInt(sent.voucher.maxClaimableAmount);
    const signature = sent.voucher.signature.toLowerCase();
    assertSignedBy(config.payerAuthorizer, await recoverOnChain(voucherDigest(id, ceiling), signature));
    if (text.length <= MAX_KNOWN_LENGTH) known.set(text, channel);

    const base = { id, terms, voucher: { ceiling, signature } };
    if (sent.type === "voucher") return { kind: "voucher", ...base };
    if (sent.type === "refund")
      return { kind: "refund", ...base, ...(sent.amount === undefined ? {} : { amount: String(sent.amount) }) };
    return { kind: "deposit", ...base, ...(await readDeposit({ ...sent, allowances }, channel, depositNonce)) };
  }

  /** A deposit, and whether a key of its payer confirms it. */
  async function readDeposit(
    { allowances, ...sent }: SentDeposit & Pick<PaymentPayload, "allowances">,
    { id, config }: Known,
    depositNonce: ChannelHashes["depositNonce"],
  ): Promise<Pick<ChannelMessage, "delegated" | "deposit">> {
    const amount = BigInt(sent.deposit.amount);
    // guard: channel: a deposit is large enough | gone | deposits --channels
    if (amount < minDeposit)
      throw new PaymentRefused(
        "DEPOSIT_TOO_SMALL",
        `A deposit must be at least ${minDeposit} atomic units of the token, extra.minDeposit of the offer.`,
      );
    const { authorization } = sent.deposit;
    const asked = { id, payer: config.payer, amount, authorization, allowances };
    const { data, hex, extensions } = await deposits.read(asked, depositNonce);
    // A deposit may still be valid if neither key confirms it, for a wallet contract that is not deployed yet; it
    // proves nobody.
    // guard: channel: a deposit proves its payer by a signature that counts | = true | channels/payers
    // guard: channel: the payer signed the deposit | await isSignedBy(config.payer, -> void ( | deposits --channels
    const delegated =
      (await isSignedBy(config.payer, { hex, data }, rpc)) ||
      (await isSignedByContract(rpc, config.payer, { hash: await hashTypedData(data), hex }));
    const payload = { ...sent, channelConfig: config };
    return { delegated, deposit: { amount, payload, ...(extensions ? { extensions } : {}) } };
  }

  function open(sent: Record<string, unknown>, idOf: ChannelHashes["idOf"]): Known {
    const parsed = config().safeParse(sent);
    if (!parsed.success) throw malformed();
    assertOurs(parsed.data);
    return { id: idOf(parsed.data), config: parsed.data, terms: termsOf(parsed.data) };
  }

  function assertOurs({ payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay }: ChannelConfig): void {
    // guard: channel: it is with our treasury | gone | vouchers --channels
    if (!sameAddress(receiver, payTo)) throw mismatch("receiver is not the one offered");
    // guard: channel: it is of our token | gone | vouchers --channels
    if (!sameAddress(token, asset.address)) throw mismatch("token is not the one offered");
    const mine = keys.filter(({ signer }) => sameAddress(signer.address, receiverAuthorizer));
    // guard: channel: its claims are signed by us | gone | vouchers --channels
    if (mine.length === 0) throw mismatch("receiverAuthorizer is not the one offered");
    // guard: channel: its delay is ours | gone | vouchers --channels
    if (!mine.some((key) => key.withdrawDelay === withdrawDelay))
      throw mismatch("withdrawDelay is not the one offered");
    if (/^0x0{40}$/.test(payerAuthorizer))
      throw mismatch("payerAuthorizer is empty: a contract's wallet names a voucher key that signs for it");
  }

  return { read, assertOurs };
}

/** Addresses in lower case, because a wrong checksum in mixed case would be refused. */
export function termsOf(config: ChannelConfig): ChannelTerms {
  const lower = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, typeof value === "string" ? value.toLowerCase() : value]),
  );
  const { payer, payerAuthorizer, withdrawDelay } = config;
  return { payer: payer.toLowerCase(), authorizer: payerAuthorizer.toLowerCase(), config: lower, withdrawDelay };
}

const malformed = () =>
  new PaymentRefused("PAYMENT_MALFORMED", "The payment is not a voucher, deposit or refund of a channel.");
const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The channel's ${why}.`);

function assertSignedBy(voucherKey: string, signedBy: string | undefined): void {
  // guard: channel: the voucher key signed | gone | vouchers --channels
  if (signedBy === undefined || !sameAddress(signedBy, voucherKey))
    throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID", "The voucher is not signed by the channel's voucher key.");
}
