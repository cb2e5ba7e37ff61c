/** Checks of payment options. Checks that depend on a network belong to its family. */
import {
  anyOf,
  being,
  byName,
  type Check,
  type ChecksOf,
  listOf,
  needed,
  shape,
  wrong,
} from "../../lib/options/check.js";
import { count, flag, func, has, hiddenAddress, oneOf, text, usd, webAddress } from "../../lib/options/kinds.js";
import type { FailureOptions } from "../failures/failures.js";
import type { AccountsOptions, ClosingOptions, Product, TopUpOptions } from "../options/accounts.js";
import { authHintsOptions } from "../options/auth-hints.js";
import type { ChannelOptions } from "../options/channels.js";
import { type EdgePaymentOptions, edgeOptions, isEdge } from "../options/edge.js";
import type { AssetOptions, LowBalanceOptions, MppOptions, PaymentOptions } from "../options/options.js";
import type { SignInOptions } from "../options/sign-in.js";
import { type TreasuryShare, WHOLE } from "../options/treasury.js";
import type { TrialOptions } from "../trial/trial.js";
import type { BuilderCodeOptions } from "../x402/builder-code.js";
import { facilitatorsOptions } from "../x402/facilitator-options.js";
import { familyOf, sameAccount } from "./accounts.js";
import { invoicesOptions } from "./invoice-checks.js";

/** The error in a network's name; undefined for a valid one. */
const networkFlaw = (network: string): string | undefined =>
  familyOf(network) ? undefined : "is not a CAIP-2 network such as eip155:8453.";

const networks = (check: Check): Check => byName(check, networkFlaw);

/** Checks an account on its network, because money sent to a nonexistent one is lost. */
function assertAccount(option: string, network: string, account: unknown): void {
  if (account === undefined)
    throw new TypeError(
      `${option} is not set: it must be an address. Is the environment variable missing that it comes from?`,
    );
  const flaw = typeof account === "string" ? familyOf(network)?.flawOf(account) : "must be an address as text";
  if (flaw === undefined) return;
  throw typeof account === "string" ? new TypeError(`${option} ${flaw}`) : wrong(option, "an address as text", account);
}

/** An account for each network, or a value in which `each` checks accounts. */
function accounts(each: (option: string, network: string, value: unknown) => void = assertAccount): Check {
  return (name, value) => {
    networks(() => {})(name, value);
    for (const [network, one] of Object.entries(value as object)) each(`${name}["${network}"]`, network, one);
  };
}

/** One account, or a list of those that share a network's revenue. */
function assertPaid(option: string, network: string, paid: unknown): void {
  if (!Array.isArray(paid)) {
    assertAccount(option, network, paid);
    return;
  }
  listOf(share, { least: 2, most: MOST_SHARES })(option, paid);
  const shares = paid as readonly TreasuryShare[];
  for (const [index, { payTo }] of shares.entries()) {
    assertAccount(`${option}[${index}].payTo`, network, payTo);
    const before = shares.findIndex((other) => sameAccount(network, other.payTo ?? "", payTo ?? ""));
    if (before < index)
      throw new TypeError(`${option}[${index}].payTo is the address of entry ${before}: name each once.`);
  }
  const sum = shares.reduce((total, one) => total + one.share, 0);
  if (sum !== WHOLE) throw new TypeError(`${option}: the shares must add up to ${WHOLE}, not ${sum}.`);
}

/** A payout is a transaction for each. */
const MOST_SHARES = 50;

const share = shape<TreasuryShare>({
  payTo: () => {},
  share: needed(count(1, WHOLE - 1), `parts of ${WHOLE}, such as 7000 for 70 %.`),
});

const treasury = needed(
  accounts(assertPaid),
  'name who is paid, such as { "eip155:8453": "0x…" }; payment: false makes every call free.',
);

const former = accounts((option, network, list) =>
  listOf((name, account) => assertAccount(name, network, account))(option, list),
);

const asset = shape<AssetOptions>({
  address: needed(text("the token's address"), "the token's address."),
  name: text("the name of the token's EIP-712 domain"),
  version: text("the version of the token's EIP-712 domain, as text"),
  transferMethod: oneOf("eip3009", "permit2"),
  decimals: count(0, 36),
  rate: func('a function that returns dollars for a token as text, such as "1.0832"'),
});

const assets = accounts((option, network, one) => {
  asset(option, one);
  assertAccount(`${option}.address`, network, (one as { address: string }).address);
});

const signer: Check = (name, value) => {
  if (has(value, ["signTypedData"]) && typeof (value as { address?: unknown }).address === "string") return;
  throw new TypeError(
    `${name} is needed for batch-settlement: a wallet of yours that signs typed data, as viem's accounts do.`,
  );
};

const withdrawDelaySeconds = count(900, 2_592_000);
const formerKeys = shape<NonNullable<ChannelOptions["former"]>[number]>({
  signer: needed(signer, "a wallet of yours that signs typed data, as viem's accounts do."),
  withdrawDelaySeconds,
});

const CHANNELS: ChecksOf<ChannelOptions> = {
  signer: needed(signer, "a wallet of yours that signs typed data, as viem's accounts do: it signs claims."),
  minDepositUsd: usd(),
  claimAboveUsd: usd(),
  claimAfterSeconds: count(0, 2_592_000),
  withdrawDelaySeconds,
  former: listOf(formerKeys),
  allowMemoryStore: flag,
  offer: oneOf("always", "asked"),
  voucherWaitSeconds: count(0, 300),
  refundable: flag,
};

const FAILURES: ChecksOf<FailureOptions> = { runs: count(1), usd: usd(), threadSeconds: count(1, 3600) };

const aWallet = being(
  "a wallet: an account of viem on EVM networks, { publicKey, secretKey } on Solana",
  (value) => has(value, ["signTypedData"]) || (typeof value === "object" && value !== null && "secretKey" in value),
);

const builderCode = text('a code of 1 to 32 of a-z, 0-9 and _, such as "my_app"', /^[a-z0-9_]{1,32}$/);

const PAYMENT: ChecksOf<PaymentOptions> = {
  treasury,
  formerTreasuries: former,
  facilitator: needed(
    facilitatorsOptions,
    'name who verifies and settles, such as { url: "https://facilitator.example" }.',
  ),
  schemes: listOf(oneOf("exact", "upto", "batch-settlement"), { least: 1 }),
  channels: shape<ChannelOptions>(CHANNELS),
  assets,
  feePayers: accounts(),
  rpc: anyOf(
    being("false", (value) => value === false),
    networks(hiddenAddress),
  ),
  refunds: networks(aWallet),
  payouts: networks(aWallet),
  minReturnUsd: usd({ zero: true }),
  maxCreditUsd: usd({ zero: true }),
  lowBalance: shape<LowBalanceOptions>({
    refundsUsd: usd(),
    claimGas: text('an amount of the network\'s coin, such as "0.002"', /^\d{1,15}(?:\.\d{1,18})?$/),
  }),
  settleFirst: listOf(text('the id of a capability, such as "ai.council"')),
  maxUnsettledUsd: usd(),
  maxFailures: shape<FailureOptions>(FAILURES),
  maxTimeoutSeconds: count(1, 31_536_000),
  v1Body: flag,
  signIn: shape<SignInOptions>({ free: listOf(text('the id of a capability, such as "convert.unit"')), again: flag }),
  authHints: authHintsOptions,
  builderCode: shape<BuilderCodeOptions>({
    app: needed(builderCode, 'the code of this service, such as "my_app".'),
    services: listOf(builderCode, { most: 5 }),
  }),
  mpp: shape<MppOptions>(
    {
      permit2: networks(
        being("an account of viem with its own key, which signs transactions", (value) =>
          has(value, ["signTransaction"]),
        ),
      ),
      solana: flag,
    },
    { or: [false] },
  ),
};

const FREE = "; payment: false makes every call free";
export const paymentOptions = shape<PaymentOptions>(PAYMENT);
const rails = shape<PaymentOptions>(PAYMENT, { or: [false] });
const EDGE: ChecksOf<EdgePaymentOptions> = { edge: edgeOptions };
const edge = shape<EdgePaymentOptions>(EDGE);

/** An edge that takes the payments stands alone: with rails of the host beside it a call would be paid for twice. */
export const paymentOptionsOfHost: Check = Object.assign(
  (name: string, value: unknown) => {
    if (!isEdge(value)) return rails(name, value);
    const other = Object.keys(value).find((member) => member !== "edge");
    if (other !== undefined && Object.hasOwn(PAYMENT, other))
      throw new TypeError(`${name}.${other} cannot stand beside ${name}.edge: a call would be paid for twice.`);
    edge(name, value);
  },
  { members: { ...PAYMENT, ...EDGE } },
);

const TRIAL: ChecksOf<TrialOptions> = {
  perHour: count(1, 1_000_000, "; trial: false gives no trials"),
  maxQuoteUsd: usd({ hint: "; trial: false gives no trials" }),
  callerBudgetUsd: usd({ hint: "; trial: false gives no trials" }),
  deploymentBudgetUsd: usd({ hint: "; trial: false gives no trials" }),
};
export const trialOptions = shape<TrialOptions>(TRIAL, { or: [false] });

const ACCOUNTS: ChecksOf<AccountsOptions> = {
  identify: func("a function of a request, which names the account of its caller"),
  origins: listOf(webAddress),
  keys: flag,
  topUpUrl: webAddress,
  topUp: shape<TopUpOptions>({
    minUsd: usd(),
    maxUsd: usd(),
    amountsUsd: listOf(usd(), { least: 1, most: 50 }),
  }),
  closing: shape<ClosingOptions>({ balance: oneOf("refund", "forfeit"), keepDays: count(0, 36_500) }),
  invoices: invoicesOptions,
};
export const accountOptions = shape<AccountsOptions>(ACCOUNTS);

const PRODUCT = shape<Product>({
  id: needed(text("1 to 50 lower-case letters, digits or hyphens", /^[a-z0-9-]{1,50}$/), "its name in requests."),
  title: needed(text("1 to 100 characters", /^(?=.*\S).{1,100}$/), "its name for people."),
  priceUsd: needed(usd(), "its price in US dollars."),
  grant: needed(
    shape<Product["grant"]>({
      usd: usd(),
      calls: count(1, 1_000_000_000),
      days: count(1, 3650),
      endpoints: listOf(text('the id of an endpoint, such as "convert.unit"'), { least: 1, most: 500 }),
    }),
    "usd, calls or days, and perhaps endpoints.",
  ),
});
export const productsOptions = listOf(PRODUCT, { least: 1, most: 100 });

export const pricingOptions = shape<{ markup?: number; overrides?: Record<string, string> }>({
  markup: being(
    "a number above 0, such as 1.25",
    // A number in exponent notation, such as 1e-7, cannot be used as a decimal.
    (value) => typeof value === "number" && value > 0 && /^\d+(?:\.\d+)?$/.test(String(value)),
  ),
  overrides: byName(usd({ hint: FREE })),
});
