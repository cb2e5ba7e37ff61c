/** Confirms that a URL wants a topic's messages: before the first message it must return a token. */
import { createHash, randomBytes } from "node:crypto";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { postOutbound } from "../../upstream/outbound/outbound.js";
import { databaseOf } from "../wallet/account.js";
import { nowParam } from "../wallet/scope.js";
import { urlRules } from "../webhooks/callbacks.js";
import type { Keys, Receiver } from "../webhooks/keys.js";
import { newMessageId } from "../webhooks/rows.js";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;
/** Limit for a URL and for an origin over all wallets, since they may belong to anybody. */
const PER_HOUR = 5;
const PER_ORIGIN = 100;

/** Counts one more question to a URL in any spelling; false if the URL or its origin reached the hourly limit. */
export async function mayAsk(ctx: Context, url: string): Promise<boolean> {
  const { origin, path } = plainOf(new URL(url));
  // guard: wallets: a URL is asked so often however it is spelled | origin + path -> url | subscriptions
  // guard: wallets: an origin is asked so often | - && counts(ctx, origin, PER_ORIGIN) | subscriptions
  return (await counts(ctx, origin + path, PER_HOUR)) && counts(ctx, origin, PER_ORIGIN);
}

/**
 * A form that ignores differences which most servers ignore: queries, escapes, case, doubled or trailing slashes and
 * dots.
 */
function plainOf({ protocol, hostname, port, pathname }: URL): { origin: string; path: string } {
  let path = pathname;
  for (let before = ""; before !== path; ) {
    before = path;
    path = path.replace(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
  const plain = path
    .replaceAll("\\", "/")
    .replace(/[?#].*$/s, "")
    .split("/")
    .map((part) => part.replace(/;.*$/s, "").trim().toLowerCase())
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  return { origin: `${protocol}//${hostname.replace(/\.+$/, "")}:${port}`, path: `/${plain}` };
}

/** An origin that confirms may be asked without limit, so a confirmed question is not counted. */
export async function giveBack(ctx: Context, url: string): Promise<void> {
  const { origin } = plainOf(new URL(url));
  await (await databaseOf(ctx)).query(
    "update @challenges set times = times[2:] where url = $1 and cardinality(times) > 0",
    [digestOf(origin)],
  );
}

const digestOf = (name: string): string => createHash("sha256").update(name).digest("hex");

async function counts(ctx: Context, name: string, perHour: number): Promise<boolean> {
  const recent = `unnest(c.times) as asked(at) where asked.at > excluded.last_at - interval '1 hour'`;
  const text = `insert into @challenges as c (url, times, last_at) values ($1, array[${nowParam(2)}], ${nowParam(2)})
    on conflict (url) do update set last_at = excluded.last_at, times = array(select asked.at from ${recent}) || excluded.times
      where (select count(*) from ${recent}) < ${perHour}
    returning url`;
  const values = [digestOf(name), ctx.injectedClock ? ctx.clock() : null];
  return (await (await databaseOf(ctx)).query(text, values)).rows.length > 0;
}

export interface Confirmation {
  keys: Keys;
  receiver: Receiver;
  topicId: string;
  url: string;
}

/** Resolves to the reason of a refusal; undefined if it is confirmed. Rejects with URL_NOT_ALLOWED. */
export async function confirmReceiver(
  ctx: Context,
  { keys, receiver, topicId, url }: Confirmation,
): Promise<"unreachable" | "refused" | undefined> {
  const token = randomBytes(32).toString("base64url");
  const [id, sentAt] = [newMessageId(), ctx.clock()];
  const data = { topicId, subscriptionId: receiver.callback, token };
  const body = JSON.stringify({ type: "subscription.confirmation", timestamp: sentAt.toISOString(), data });
  const headers = {
    "content-type": "application/json",
    "user-agent": `${ctx.userAgent}-Webhooks`,
    ...(await keys.headersFor(receiver, { id, sentAt, body })),
    [`x-${ctx.slug}-confirmation-token`]: token,
  };
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
  try {
    const { status, bytes } = await postOutbound(ctx, url, {
      headers,
      body,
      ...bounds,
      ...urlRules(ctx.wallets ?? {}),
    });
    const isEcho = status >= 200 && status <= 299 && echoes(new TextDecoder().decode(bytes), token);
    return isEcho ? undefined : "refused";
  } catch (error) {
    if (!CapabilityError.is(error) || error.code === "URL_NOT_ALLOWED") throw error;
    return error.code === "RESULT_TOO_LARGE" ? "refused" : "unreachable";
  }
}

/** Exactly the token, or `{ "token": … }`. */
function echoes(text: string, token: string): boolean {
  if (text === token) return true;
  try {
    return (JSON.parse(text) as { token?: unknown } | null)?.token === token;
  } catch {
    return false;
  }
}
