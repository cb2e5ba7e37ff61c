/** Requests for refunds at work, loaded by the first of them. */
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { ACCOUNT_WALLET } from "../../payment/options/accounts.js";
import type { RefundPolicy } from "../../payment/options/refund-policy.js";
import { createRefundRequests, type MadeRefund, type RefundRequests } from "../../payment/refund-requests/requests.js";
import { refundOf } from "../administration/books.js";
import { notedBy } from "../administration/noted.js";

const made = new WeakMap<Host, RefundRequests>();

/** Rejects with PROVIDER_NOT_CONFIGURED for a host without a policy. */
export function refundRequestsOf(host: Host): RefundRequests {
  const { refundPolicy } = host.options;
  if (!refundPolicy)
    throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This host has no requests for refunds: set refundPolicy.");
  const requests = made.get(host) ?? open(host, refundPolicy);
  made.set(host, requests);
  return requests;
}

function open(host: Host, policy: RefundPolicy): RefundRequests {
  return createRefundRequests({
    ...{ store: host.store, host: host.storeName, now: host.now, policy },
    accounts: async () => (await host.payments.accounts?.book())?.records,
    async refund(requestId, by, usd) {
      const asked = usd === undefined ? {} : { usd };
      const give = () => refundOf(host, { requestId }, asked);
      const told = ({ creditToken: _, ...after }: MadeRefund) => ({ after });
      return notedBy(host, by)({ what: "refund", of: requestId, asked }, give as () => Promise<MadeRefund>, told);
    },
    tell: host.webhooks?.tell,
  });
}

/** The asker is told no more of who decided than the host's words. */
export async function refundAskedBy(host: Host, { wallet }: Context, query: { requestId: string; reason?: string }) {
  if (!wallet) throw new CapabilityError("SIGN_IN_REQUIRED", "Name the wallet or the account whose call it was.");
  const { id, callId = "" } = wallet;
  const name = id.startsWith(ACCOUNT_WALLET) ? id.slice(ACCOUNT_WALLET.length) : id;
  const isWallet = /^(?:sign-in|session):/.test(callId);
  // A wallet has the account of its name where balances are sold; elsewhere a login may have given that name.
  const hasAccount = !isWallet || host.payments.accounts?.sellsAny === true;
  const { by: _, creditToken, ...told } = await refundRequestsOf(host).ask({ name, isWallet, hasAccount }, query);
  // guard: refund requests: a session, which pays for nothing, gets no token of credit | = creditToken !== undefined |
  //   accounts/refund-requests
  const getsToken = creditToken !== undefined && callId.startsWith("sign-in:");
  return getsToken ? { ...told, creditToken } : told;
}
