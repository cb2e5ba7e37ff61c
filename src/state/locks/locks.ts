/** Operations on locks with a lease and a fencing token that only grows. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { type Acquire, type Held, hashOf, KEPT_MS, LOCK_COLUMNS, lockRow, putLock, take } from "../wallet/lock-rows.js";
import { nowParam, type ReadScope } from "../wallet/scope.js";

const { mutate, read } = stateOf(putLock);

const heldRow = z.object({ held: z.int() });

const MAX_HELD = 100;

type Acquired =
  | { acquired: true; token: string; fencingToken: number; expiresInSeconds: number; expiresAt: string }
  | { acquired: false; retryInSeconds: number; holder?: string };

async function assertFewerHeld(scope: ReadScope, key: string): Promise<void> {
  const text = `select count(*)::int as held from @locks
    where wallet = $1 and key <> $3 and token_hash is not null and expires_at > ${nowParam(2)}`;
  const [row] = await rowsOf(scope, heldRow, text, [scope.wallet, scope.now, key]);
  if ((row?.held ?? 0) >= MAX_HELD)
    throw new CapabilityError(
      "QUOTA_EXCEEDED",
      `The wallet holds ${row?.held} of ${MAX_HELD} locks: release one, or let one expire.`,
    );
}

/** Refuses one lock too many before money moves. */
export const prepareToAcquire = (ctx: Context, { key }: Acquire): Promise<void> =>
  read(ctx, (scope) => assertFewerHeld(scope, key));

/** A caller who finds the lock taken is told when to try again and does not queue. */
export const acquire = (ctx: Context, { key, ttlSeconds, holder }: Acquire): Promise<Acquired> =>
  mutate(ctx, {
    endpoint: "lock.acquire",
    async work(scope) {
      await assertFewerHeld(scope, key);
      const token = randomBytes(16).toString("base64url");
      const row = await take(scope, { key, ttlSeconds, holder, token });
      if (row) {
        const { fencing: fencingToken, expiresAt } = row;
        return { acquired: true, token, fencingToken, expiresInSeconds: ttlSeconds, expiresAt };
      }
      const text = `select ${LOCK_COLUMNS} from @locks where wallet = $1 and key = $2`;
      const [held] = await rowsOf(scope, lockRow, text, [scope.wallet, key]);
      const ms = held ? Date.parse(held.expiresAt) - scope.now.getTime() : 0;
      return {
        acquired: false,
        retryInSeconds: Math.max(1, Math.ceil(ms / 1000)),
        ...(held?.holder ? { holder: held.holder } : {}),
      };
    },
  });

type Renewed = { renewed: boolean; fencingToken?: number; expiresInSeconds?: number };

/** An expired lock cannot be renewed, even if nobody took it. */
export const renew = (ctx: Context, { key, token, ttlSeconds }: Held & { ttlSeconds: number }): Promise<Renewed> =>
  mutate(ctx, {
    endpoint: "lock.renew",
    async work(scope) {
      const until = scope.now.getTime() + ttlSeconds * 1000;
      const text = `update @locks set expires_at = $4, kept_until = $5
        where wallet = $1 and key = $2 and token_hash = $3 and expires_at > $6 returning ${LOCK_COLUMNS}`;
      const values = [scope.wallet, key, hashOf(token), new Date(until), new Date(until + KEPT_MS), scope.now];
      const [row] = await rowsOf(scope, lockRow, text, values);
      return row ? { renewed: true, fencingToken: row.fencing, expiresInSeconds: ttlSeconds } : { renewed: false };
    },
  });

export const release = (ctx: Context, { key, token }: Held): Promise<{ released: boolean }> =>
  mutate(ctx, {
    endpoint: "lock.release",
    async work(scope) {
      const text = `update @locks set token_hash = null, holder = null, expires_at = $4, kept_until = $5
        where wallet = $1 and key = $2 and token_hash = $3 and expires_at > $4 returning key`;
      const kept = new Date(scope.now.getTime() + KEPT_MS);
      const { rows } = await scope.query(text, [scope.wallet, key, hashOf(token), scope.now, kept]);
      return { released: rows.length > 0 };
    },
  });
