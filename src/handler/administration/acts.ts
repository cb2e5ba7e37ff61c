/** Changes that a host makes to its service beside those of accounts, with their entries in the audit log. */
import type { AuditEntry, AuditQuery } from "../../audit/entry.js";
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { assertText, lastMomentOf, momentOf } from "../../payment/accounts/admin-checks.js";
import { isPricedByPurchase } from "../../payment/options/accounts.js";
import type { PayOptions } from "../../payment/payouts/payouts.js";
import type { HostRules } from "../../payment/pricing/rules.js";
import { type Refunded, readUsd } from "../../payment/refund/host-refund.js";
import type { RequestedRefund } from "../../payment/refund-requests/record.js";
import type { RequestsQuery } from "../../payment/refund-requests/requests.js";
import { type HostRefund, refundOf } from "./books.js";
import { notedBy } from "./noted.js";
import { assertRules } from "./rules.js";

export function createActs(host: Host, by: string) {
  const { switches, payments } = host;
  const noted = notedBy(host, by);
  const requests = async () => (await import("../customers/refund-runs.js")).refundRequestsOf(host);
  const changed = async (what: string, of: string, work: () => Promise<{ before: object; after: object }>) => {
    await noted({ what, of }, work, (facts) => facts);
  };

  return {
    stop: (id: string, reason: string) => changed("stop", id, async () => switches.stop(mounted(host, id), reason)),
    resume: (id: string) => changed("resume", id, async () => switches.resume(mounted(host, id))),
    setPrice: (id: string, usd: string, options?: { from?: Date | string }) =>
      changed("setPrice", id, async () => {
        if (!payments.charges) throw new TypeError("setPrice: every call is free here (payment: false).");
        // guard: top-up: a product is not sold at another price | gone | accounts/products
        if (isPricedByPurchase(id)) throw new TypeError(`setPrice: the price of ${id} is the amount that is bought.`);
        return switches.setPrice(mounted(host, id), usd, options);
      }),
    configure: async (rules: HostRules) => {
      assertRules(host, rules);
      if (await switches.follows(rules)) return;
      await changed("configure", "rules", () => switches.configure(rules));
    },
    refund: (of: Refunded, options?: { usd?: string }) =>
      noted({ what: "refund", of: nameOf(of), asked: { ...options } }, () => refundOf(host, of, options), refunded),
    requests: {
      list: async (query?: RequestsQuery) => (await requests()).list(query),
      // The refund itself has its entry, with its amount.
      async approve(requestId: string, { usd }: { usd?: string } = {}): Promise<RequestedRefund> {
        if (usd !== undefined) readUsd(usd);
        const { creditToken: _, ...done } = await (await requests()).approve(requestId, by, usd);
        return done;
      },
      decline: (requestId: string, note: string) =>
        noted({ what: "refundRequests.decline", of: requestId, asked: { note } }, async () =>
          (await requests()).decline(requestId, by, assertText("note", note, 500)),
        ),
    },
    pay: (options?: PayOptions) =>
      noted(
        { what: "payouts.pay", asked: { ...options } },
        () => payments.payouts.pay(options),
        (payouts) => ({ after: { payouts } }),
      ),
    erase: (wallet: string, erase: () => Promise<Record<string, number>>) =>
      noted({ what: "wallets.erase", of: wallet }, erase, (after) => ({ after })),
    async *audit({ from, to }: AuditQuery = {}): AsyncGenerator<AuditEntry, void> {
      const span = {
        from: from === undefined ? Number.NEGATIVE_INFINITY : momentOf("from", from),
        to: to === undefined ? Number.POSITIVE_INFINITY : lastMomentOf("to", to),
      };
      yield* (await host.audit()).read(span);
    },
  };
}

/** The token of credit is the buyer's own money, so no entry has it. */
function refunded(refund: HostRefund) {
  const { creditToken: _, ...after } = refund as HostRefund & { creditToken?: string };
  return { after };
}

const nameOf = (of: Refunded): string => ("requestId" in of ? of.requestId : of.transaction);

function mounted(host: Host, id: string): string {
  if (host.byId.has(id)) return id;
  throw new CapabilityError("NOT_FOUND", `No capability "${id}" is mounted here.`);
}
