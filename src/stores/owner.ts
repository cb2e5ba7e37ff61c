/**
 * Leases of this process, and whether another's still hold. A process that holds leases tells the store every few
 * seconds that it lives, by one record for all of them, which expires by the store's own clock. So a lease ends soon
 * after its owner's last sign of life, however long its work might have taken and whatever the clocks of the instances
 * say: a sign tells the time of its owner, by which the lease ends in any case. Renewing it touches no other record: whoever takes a lease over fences its former owner off by the record's
 * version, as always.
 */
import { randomUUID } from "node:crypto";
import { CapabilityError } from "../errors.js";
import { isPast } from "../lib/clocks.js";
import { onWorkers } from "../lib/packages/platform.js";
import type { Store } from "./store.js";

/** A lease is over so long after its owner's last sign of life. */
export const LEASE_MS = 9000;
const SIGN_EVERY_MS = 2500;
const MOST_TRIES = 4;
/** A sign that is older does not do for a lease that begins. */
const FRESH_MS = 4500;

/** The members of a record by which it is held. */
export interface Lease {
  /** Epoch milliseconds: its end in any case, by the clock of its owner. 0 once it has ended. */
  leaseUntil: number;
  /** Absent in records of older releases, which are held until then. */
  owner?: string | undefined;
}

export interface LeaseOwner {
  /** The lease to store, once the store knows that this process lives. Rejects if the store does not answer. */
  take(leaseUntil: number): Promise<Taken>;
  /** The holder of the lease is done, whatever is stored of it. */
  end(lease: Lease): void;
  isHeld(lease: Lease): Promise<boolean>;
  /** Owners among these that have died, or are done. */
  deadOf(owners: Iterable<string>): Promise<ReadonlySet<string>>;
}

export interface Taken {
  leaseUntil: number;
  owner: string;
}

const keyOf = (signer: string) => `owner:${signer}`;
const signerOf = (owner: string) => owner.slice(0, owner.lastIndexOf("/"));

/** Signs for the leases that it is given, as long as there are any. */
function createSigner(store: Store, now: () => number) {
  const id = randomUUID();
  const key = keyOf(id);
  /** Its leases, and when each ends in any case. */
  const leases = new Map<string, number>();
  let taken = 0;
  let version = 0;
  let signedAt = Number.NEGATIVE_INFINITY;
  let signing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function sign(): Promise<void> {
    const at = performance.now();
    const put = (ifVersion: number) => store.put(key, String(now()), { ifVersion, ttlMs: LEASE_MS });
    // The last one has expired.
    let known = at - signedAt > LEASE_MS ? 0 : version;
    // An earlier sign, given up as lost, may come through meanwhile.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const next = await put(known);
      if (next !== undefined) {
        version = next;
        signedAt = at;
        return;
      }
      known = (await store.get(key))?.version ?? 0;
    }
    throw new CapabilityError("OVERLOADED", "The service is busy; try the same request again shortly.", {
      retryAfter: 5,
    });
  }

  function signNow(): Promise<void> {
    signing ??= sign().finally(() => {
      signing = undefined;
    });
    return signing;
  }

  async function signAgain(): Promise<void> {
    // Once more after the last one, so that nobody waits for what is over.
    // guard: a lease is signed for as long as it lasts | gone | leases
    if (leases.size > 0) await signNow().catch(() => {});
    for (const [owner, until] of leases) if (until <= now()) leases.delete(owner);
    timer = undefined;
    keepSigning();
  }

  function keepSigning(): void {
    if (timer || leases.size === 0) return;
    timer = setTimeout(() => void signAgain(), SIGN_EVERY_MS);
    timer.unref();
  }

  return {
    id,
    leases,
    async take(leaseUntil: number): Promise<Taken> {
      const owner = `${id}/${++taken}`;
      leases.set(owner, leaseUntil);
      try {
        if (performance.now() - signedAt > FRESH_MS) await signNow();
      } catch (error) {
        leases.delete(owner);
        throw error;
      }
      keepSigning();
      return { leaseUntil, owner };
    },
  };
}

type Signer = ReturnType<typeof createSigner>;

export function createLeaseOwner(store: Store, now: () => number): LeaseOwner {
  const signers = new Map<string, Signer>();
  let shared: Signer | undefined;

  function open(): Signer {
    const signer = createSigner(store, now);
    signers.set(signer.id, signer);
    return signer;
  }

  /** On Workers a timer ends with the request that set it, so there each lease is signed for by itself. */
  function signer(): Signer {
    if (onWorkers()) return open();
    shared ??= open();
    return shared;
  }

  /** The time of another process at its last sign of life; undefined if it is dead. */
  async function timeOf(id: string): Promise<number | undefined> {
    const found = await store.get(keyOf(id));
    return found && !found.isOrphan ? Number(found.value) : undefined;
  }

  return {
    take: (leaseUntil) => signer().take(leaseUntil),
    end({ owner = "" }) {
      const own = signers.get(signerOf(owner));
      own?.leases.delete(owner);
      if (own && own !== shared) signers.delete(own.id);
    },
    async isHeld({ leaseUntil, owner }) {
      if (owner === undefined) return leaseUntil > now();
      if (leaseUntil === 0 || isPast(leaseUntil, now())) return false;
      const own = signers.get(signerOf(owner));
      if (own) return own.leases.has(owner) && leaseUntil > now();
      // guard: a lease ends with its owner's last sign of life | Number.POSITIVE_INFINITY -> 0 | leases
      return leaseUntil > ((await timeOf(signerOf(owner))) ?? Number.POSITIVE_INFINITY);
    },
    async deadOf(owners) {
      const all = [...new Set(owners)];
      const others = new Set(all.map(signerOf).filter((id) => !signers.has(id)));
      const alive = new Set<string>();
      await Promise.all([...others].map(async (id) => (await timeOf(id)) !== undefined && alive.add(id)));
      return new Set(
        all.filter((owner) => !(signers.get(signerOf(owner))?.leases.has(owner) ?? alive.has(signerOf(owner)))),
      );
    },
  };
}
