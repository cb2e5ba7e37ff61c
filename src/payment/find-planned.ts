/** Finds what became of a change that was planned: in the account book, or in the records of channels. */
import { fromMicros } from "../lib/money.js";
import type { PaymentAccounts } from "./accounts/accounts.js";
import type { Channels } from "./channels/channels.js";
import type { PlannedEvent, PlannedOutcome } from "./events/durable-events.js";
import { walletOfAccount } from "./options/accounts.js";

interface Sources {
  accounts: PaymentAccounts | undefined;
  channels: Channels | undefined;
}

type Of<Kind extends PlannedEvent["kind"]> = Extract<PlannedEvent, { kind: Kind }>;

export async function findPlanned(sources: Sources, of: PlannedEvent): Promise<PlannedOutcome> {
  if (of.kind === "account-sale") return accountSale(sources, of);
  if (of.kind === "account-refund") return accountRefund(sources, of);
  return sources.channels?.findPlanned(of);
}

async function accountSale({ accounts }: Sources, of: Of<"account-sale">): Promise<PlannedOutcome> {
  const { account, hold, endpoint, requestId } = of;
  const sale = await (await accounts?.book())?.findSale(account, requestId, hold);
  // guard: webhooks: what was planned and not made is not told |
  //   return sale -> return sale ?? { id: requestId, at: 0, data: {} } | handler/webhook-crashes
  if (!sale || sale === "open") return sale;
  const data = { endpoint, requestId, payer: walletOfAccount(account), account, usd: fromMicros(-sale.amount) };
  return sale.amount === 0n ? undefined : { id: requestId, at: sale.at, data };
}

async function accountRefund({ accounts }: Sources, { requestId }: Of<"account-refund">): Promise<PlannedOutcome> {
  const found = await (await accounts?.book())?.findRefund(requestId);
  if (!found) return undefined;
  const { account, entry } = found;
  const { endpoint, amount, at } = entry;
  const data = { endpoint, requestId, payer: walletOfAccount(account), account, refundedUsd: fromMicros(amount) };
  return { id: `${requestId}refunded`, at, data };
}
