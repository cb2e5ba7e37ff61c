/** The free endpoints at which the owner of an account sees and manages it. They are mounted where accounts have owners. */
import { z } from "zod";
import { isoDate, isoDateTime, words } from "../../capability/fields.js";
import { binary, legacy } from "../../capability/output.js";
import type { AnyCapability } from "../../capability/types.js";
import { ownEndpoint } from "./own-endpoint.js";
import { invoiceEndpoints } from "./own-invoices.js";
import type { OwnContext } from "./owner-in.js";

/** Mounted where wallets may sign in. */
export const SESSION = "account.session";
/** Mounted wherever accounts have owners. */
export const BALANCE = "account.balance";

const DAYS = () => ({
  from: isoDate().optional().describe("The first day (UTC)"),
  to: isoDate().optional().describe("The last day (UTC)"),
  after: z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be the id of an entry" })
    .optional()
    .describe("Id of an entry to begin after, as `next` of the answer before"),
});

const usd = () =>
  z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, { error: "must be US dollars with at most six decimals" });
const id = () => z.string().min(1).max(100).describe("Id of the key, as the list has it");
const names = (what: string) => z.array(words(1, 100)).max(500).optional().describe(what);

const limits = () =>
  z.strictObject({
    perMinute: z.int().min(1).max(1_000_000).optional().describe("Calls within sixty seconds"),
    usdPerHour: usd().optional(),
    usdPerDay: usd().optional(),
    usdPerMonth: usd().optional(),
    endpoints: names("Ids of the endpoints that it may call. Default: all"),
    groups: names("Groups of which it may call all"),
  });

const keys = () => z.array(z.looseObject({ id: z.string(), prefix: z.string(), createdAt: z.string() }));
const grants = () => z.array(z.looseObject({ id: z.string(), kind: z.string(), from: z.string() }));
const sums = () => ({ calls: z.int(), usd: z.string(), freeUsd: z.string(), refundedUsd: z.string() });
const next = () => z.string().optional().describe("There may be more: ask again with it as `after`");

export function createOwnEndpoints(context: OwnContext): AnyCapability[] {
  const own = ownEndpoint(context);
  return [
    own({
      id: BALANCE,
      summary: "The balance of your account: what it may spend, and what running calls hold.",
      input: () => z.strictObject({}),
      output: legacy(() =>
        z.object({
          account: z.string(),
          availableUsd: z.string(),
          heldUsd: z.string().describe("Of calls that are running"),
          restrictedUsd: z.string().optional().describe("The part kept for some endpoints, or for later"),
        }),
      ),
      example: {},
      run: "balance",
    }),
    own({
      id: "account.grants",
      summary: "The passes, bundles and promotions that your account has left, in the order of their use.",
      input: () => z.strictObject({}),
      output: legacy(() => z.object({ account: z.string(), grants: grants() })),
      example: {},
      run: "grants",
    }),
    own({
      id: "account.usage",
      summary: "What your account used, by day and endpoint. Default: the last 30 days.",
      input: () => z.strictObject(DAYS()),
      output: legacy(() =>
        z.object({
          ...{ account: z.string(), from: z.string(), to: z.string() },
          rows: z.array(z.object({ day: z.string(), endpoint: z.string(), ...sums() })),
          total: z.object(sums()),
          next: next(),
        }),
      ),
      example: {},
      run: "usage",
    }),
    own({
      id: "account.statement",
      summary: "All that came and went in your account, entry by entry, as JSON or CSV.",
      input: () =>
        z.strictObject({
          ...DAYS(),
          limit: z.int().min(1).max(1000).default(500).describe("Entries at most"),
          format: z.enum(["json", "csv"]).default("json"),
        }),
      output: binary("text/csv", {
        json: () =>
          z.object({
            account: z.string(),
            entries: z.array(z.looseObject({ id: z.string(), kind: z.string(), usd: z.string(), at: z.string() })),
            next: next(),
          }),
      }),
      example: {},
      run: "statement",
    }),
    own({
      id: "account.keys",
      summary: "The keys of your account: how each begins, its limits and its last use.",
      input: () => z.strictObject({}),
      output: legacy(() => z.object({ account: z.string(), keys: keys() })),
      example: {},
      run: "keys",
    }),
    ...(context.keys
      ? [
          own(
            {
              id: "account.keys-create",
              method: "POST",
              summary: "Make a key of your account, with limits of its own, or with `rotate` the successor of one.",
              input: () =>
                z.strictObject({
                  label: words(1, 100).optional().describe("Its name for you"),
                  limits: limits().optional(),
                  expiresAt: isoDateTime().optional().describe("The time from which it buys nothing"),
                  rotate: id().optional(),
                  overlapSeconds: z
                    .int()
                    .min(0)
                    .max(31_536_000)
                    .optional()
                    .describe("How long the key that is rotated still works. Default: not at all"),
                }),
              output: legacy(() =>
                z.object({ account: z.string(), key: z.string(), id: z.string(), prefix: z.string() }),
              ),
              example: { label: "laptop", limits: { usdPerDay: "1" } },
              run: "createKey",
            },
            { mountedAt: "account.keys" },
          ),
          own(
            {
              id: "account.keys-revoke",
              summary: "End a key of your account at once.",
              input: () => z.strictObject({ id: id() }),
              output: legacy(() => z.object({ account: z.string(), id: z.string(), revoked: z.literal(true) })),
              example: { id: "key_0123456789abcdef0123456789abcdef" },
              run: "revokeKey",
            },
            { mountedAt: "account.keys", method: "DELETE" },
          ),
        ]
      : []),
    own({
      id: "account.close",
      method: "POST",
      summary: "Close your account: its keys end, its balance goes back as the service says, and its data are erased.",
      input: () => z.strictObject({}),
      output: legacy(() =>
        z.object({
          ...{ account: z.string(), closedAt: z.string() },
          keptUntil: z.string().describe("The entries of its book are kept until then, for the law"),
          refundedUsd: z.string().describe("Goes back to the wallets that paid"),
          forfeitedUsd: z.string().describe("Is lost, by the rule of the service"),
          owedUsd: z.string().describe("The service gives it back in its own way: it was not paid by a wallet"),
        }),
      ),
      example: {},
      timeoutMs: 60_000,
      run: "close",
    }),
    ...(context.invoices ? invoiceEndpoints(own) : []),
    ...(context.signIns
      ? [
          own({
            id: SESSION,
            method: "POST",
            summary: "Sign in with a wallet for half an hour: the answer opens these endpoints, and pays for nothing.",
            input: () => z.strictObject({}),
            output: legacy(() => z.object({ account: z.string(), session: z.string(), expiresAt: z.string() })),
            example: {},
            run: "session",
          }),
        ]
      : []),
  ];
}
