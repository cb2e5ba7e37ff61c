/**
 * Several facilitators as one, best first. A payment is settled by the one that verified it: its name is stored with the
 * payment before anything is sent, so that no other is asked once this one may have sent it.
 */

import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { FacilitatorClient, PaymentToSettle } from "./facilitator.js";

/** How long another one is preferred to one that did not answer. */
const DOWN_MS = 30_000;

export interface NamedClient {
  /** Stored with payments: the same after a restart, whatever the order of the list. */
  name: string;
  client: FacilitatorClient;
}

export interface FacilitatorHealth {
  name: string;
  status: "ok" | "down";
}

export interface Failover extends FacilitatorClient {
  health(): FacilitatorHealth[];
}

/** Accounts by which a facilitator's answer to `supported` binds payments to it. */
const accountsIn = once(() =>
  z.object({
    kinds: z.array(z.object({ extra: z.record(z.string(), z.unknown()).nullish().catch(null) })).catch([]),
    signers: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  }),
);
const BINDING = ["feePayer", "facilitatorAddress"] as const;

export function createFailover(
  clients: readonly NamedClient[],
  { logger, now = () => performance.now() }: { logger: Logger; now?: () => number },
): Failover {
  const downUntil = new Map<string, number>();
  /** The facilitator of an account that offers name: on Solana, and for payments up to an amount. */
  const owners = new Map<string, NamedClient>();

  const isDown = ({ name }: NamedClient) => (downUntil.get(name) ?? 0) > now();
  const inOrder = () => [...clients.filter((one) => !isDown(one)), ...clients.filter(isDown)];

  function noteDown({ name }: NamedClient): void {
    downUntil.set(name, now() + DOWN_MS);
    logger.warn({ facilitator: name }, "facilitator: no answer; another one is preferred for a while");
  }

  /** The only facilitator that can settle a payment which names its account. */
  function ownerOf({ requirements: { extra } }: PaymentToSettle): NamedClient | undefined {
    for (const field of BINDING) {
      const account = extra[field];
      const owner = typeof account === "string" ? owners.get(account.toLowerCase()) : undefined;
      if (owner) return owner;
    }
    return undefined;
  }

  /** Asks one after the other until one answers. */
  async function firstOf<T>(some: readonly NamedClient[], ask: (one: NamedClient) => Promise<T>): Promise<T> {
    let last: unknown;
    for (const one of some)
      try {
        const answer = await ask(one);
        downUntil.delete(one.name);
        return answer;
      } catch (error) {
        if (!CapabilityError.is(error) || error.code !== "FACILITATOR_UNAVAILABLE") throw error;
        noteDown(one);
        last = error;
      }
    throw last;
  }

  function learn(one: NamedClient, answer: unknown): void {
    const { kinds = [], signers } = accountsIn().safeParse(answer).data ?? {};
    const named = kinds.flatMap(({ extra }) => BINDING.map((field) => extra?.[field]));
    for (const account of [...named, ...Object.values(signers ?? {}).flat()])
      if (typeof account === "string") owners.set(account.toLowerCase(), one);
  }

  return {
    health: () => clients.map((one) => ({ name: one.name, status: isDown(one) ? "down" : "ok" })),
    supported: () =>
      firstOf(inOrder(), async (one) => {
        const answer = await one.client.supported();
        learn(one, answer);
        return answer;
      }),
    verify(payment) {
      const owner = ownerOf(payment);
      const bound = payment.via === undefined ? owner : clients.find(({ name }) => name === payment.via);
      return firstOf(bound ? [bound] : inOrder(), async (one) => {
        const verdict = await one.client.verify(payment);
        return verdict.kind === "valid" ? { ...verdict, by: one.name } : verdict;
      });
    },
    async settle(payment) {
      // Payments without a name are refunds, deposits and claims, and those taken before there was a list.
      const one = clients.find(({ name }) => name === payment.via) ?? ownerOf(payment) ?? clients[0];
      if (!one) throw new TypeError("payment.facilitator must have 1 entry or more.");
      const end = await one.client.settle(payment);
      if (end.kind !== "pending") return end;
      if (end.unsent) noteDown(one);
      // guard: failover: another facilitator only where no connection was made | - end.unsent && | failover
      const next = end.unsent && payment.via !== undefined && !ownerOf(payment) ? after(one) : undefined;
      return next ? { ...end, next } : end;
    },
  };

  function after({ name }: NamedClient): string | undefined {
    return inOrder().find((one) => one.name !== name && !isDown(one))?.name;
  }
}
