import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { isBinary } from "../../capability/json-schema.js";
import type { BinaryResult } from "../../capability/output.js";
import type { AnyCapability, CallOptions } from "../../capability/types.js";
import type { BuyerLimits } from "../../client/buyer-limits.js";
import { type CallMeta, type CreditToken, createClient, type StreamedAnswer } from "../../client/index.js";
import { type Payer, readBaseUrl } from "../../client/options.js";
import { CapabilityError } from "../../errors.js";
import { isUrl } from "../../lib/http/url.js";
import { type Logger, silent } from "../../lib/logger.js";
import { fromMicros, toMicros } from "../../lib/money.js";
import { OptionError } from "../../lib/options/check.js";
import type { DownloadProgress } from "../../upstream/bulk/bulk-streams.js";
import { capabilityNamed } from "../catalogue.js";
import { readInput } from "../input.js";
import type { Invocation } from "../invocation.js";
import { showResult, showStream } from "../show.js";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usage.js";
import { walletOf } from "../wallet.js";

const DEFAULT_MAX_USD = "0.10";

interface Call extends Invocation {
  capability: AnyCapability;
  input: object;
  signal: AbortSignal;
}

export async function run(invocation: Invocation): Promise<number> {
  const { words, options } = invocation;
  const [id, ...fields] = words;
  const capability = capabilityNamed(id, "call");
  const input = await readInput(capability, fields, options.input as string | undefined);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.once("SIGINT", leave);
  try {
    return await call({ ...invocation, capability, input, signal: leaving.signal });
  } finally {
    process.off("SIGINT", leave);
  }
}

async function call(invocation: Call): Promise<number> {
  const { terminal, options, env, capability, input, signal } = invocation;
  const { stream } = capability as { stream?: (input: object, options: CallOptions) => AsyncIterable<unknown> };
  const saves = options.out !== undefined && options.out !== "-";
  const streams = stream !== undefined && !options.json && !saves;
  const local = { secrets: env, signal, logger: progressOn(terminal) };
  if (options.url === undefined && streams) {
    await showStream(terminal, stream(input, local)).catch(unlessLeft(signal));
    return 0;
  }
  const result =
    options.url === undefined
      ? await capability(input, local)
      : await callAt(String(options.url), { ...invocation, streams });
  if (result === SHOWN) return 0;
  if (isBinary(capability)) await deliver(invocation, capability, result as BinaryResult);
  else if (saves) await deliver(invocation, capability, asFile(result));
  else if (options.json) terminal.out(JSON.stringify(result, null, 2));
  else showResult(terminal, result);
  return 0;
}

/** A result that was shown as it came. */
const SHOWN = Symbol("shown");

/** The end of a stream whose reader left: no failure. */
const unlessLeft = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
  return false;
};

interface Remote extends Call {
  /** Whether to show chunks as they come. */
  streams: boolean;
}

/** The client's options, as this command takes them. */
const FLAGS: Readonly<Record<string, string>> = {
  baseUrl: "--url",
  maxPerCallUsd: "--max-usd",
  "limits.usdPerDay": "--max-usd-per-day",
  "limits.askAboveUsd": "--ask-above-usd",
  apiKey: "COINSLOT_API_KEY",
};

interface Asked extends Pick<Call, "terminal" | "options" | "env"> {
  pay: Payer | undefined;
}

async function clientAt(url: string, { pay, ...asked }: Asked): Promise<ReturnType<typeof createClient>> {
  const { options, env } = asked;
  const limits = pay || env.COINSLOT_API_KEY ? await limitsOf(url, asked) : undefined;
  try {
    return createClient({
      baseUrl: url,
      ...(pay ? { pay } : {}),
      ...(env.COINSLOT_API_KEY ? { apiKey: env.COINSLOT_API_KEY } : {}),
      ...(limits ? { limits } : {}),
      trial: options.trial === true,
      credits: creditOf(env),
      maxPerCallUsd: (options["max-usd"] as string | undefined) ?? DEFAULT_MAX_USD,
    });
  } catch (error) {
    if (error instanceof OptionError)
      throw new UsageError(`${FLAGS[error.option] ?? error.option} ${error.problem}`, { cause: error });
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Calls a service, and pays if there is a wallet. */
async function callAt(
  url: string,
  { terminal, options, env, capability, input, signal, streams }: Remote,
): Promise<unknown> {
  const pay = await walletOf(env);
  const key = (options.key as string | undefined) ?? randomUUID();
  const client = await clientAt(url, { terminal, options, env, pay });
  try {
    const settings = { signal, idempotencyKey: key };
    const { data, meta } = streams
      ? await shownAt(terminal, client, client.$stream(capability.id as never, input as never, settings), signal)
      : await client.$call(capability.id as never, input as never, settings);
    if (!meta) return data;
    tellCredit(terminal, client.$credits());
    terminal.note(terminal.dim(paidBy(meta)));
    return data;
  } catch (error) {
    tellCredit(terminal, client.$credits());
    throw pay ? withFlags(error, key) : withoutWallet(error);
  }
}

/** Limits of a day, and whom the seller wants paid: both are remembered from call to call. */
async function limitsOf(
  url: string,
  { terminal, options, env }: Pick<Call, "terminal" | "options" | "env">,
): Promise<BuyerLimits> {
  const { fileBook, spendingFile } = await import("../spending.js");
  const { hostname } = isUrl(url) ? new URL(url) : { hostname: "" };
  const file = spendingFile(env);
  // A seller on this machine is a sandbox, whose address another one may have tomorrow.
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) && !env.COINSLOT_SPENDING;
  const given = (flag: string, setting: string) => (options[flag] as string | undefined) || env[setting] || undefined;
  const usdPerDay = given("max-usd-per-day", "COINSLOT_MAX_USD_PER_DAY");
  const askAboveUsd = given("ask-above-usd", "COINSLOT_ASK_ABOVE_USD");
  const ask = terminal.ask;
  const book = file === undefined || isHere ? undefined : fileBook(file);
  if (options["accept-seller"] && book && isUrl(url))
    await book.change(({ pins }) => {
      delete pins[readBaseUrl(url)];
    });
  return {
    ...(book ? { book } : { pin: false }),
    ...(usdPerDay === undefined ? {} : { usdPerDay }),
    ...(askAboveUsd === undefined ? {} : { askAboveUsd }),
    ...(ask
      ? {
          ask: ({ endpoint, usd, seller, payTo, todayUsd }) =>
            ask(
              `${endpoint} at ${seller} costs ${usd} USD (${todayUsd} USD today), paid to ${payTo.join(" or ")}. Pay?`,
            ),
        }
      : {}),
  };
}

function paidBy({ caller, costUsd, payment, account, usage }: CallMeta): string {
  if (account !== undefined)
    return `${costUsd === "0" ? "Nothing was charged to" : `Charged ${costUsd} USD to`} the account ${account}.`;
  if (caller !== "paid") return `Not charged: ${caller}.`;
  if (usage?.creditLeftUsd !== undefined)
    return `Paid ${costUsd} USD from your wallet's credit here, of which ${usage.creditLeftUsd} USD are left.`;
  return `Paid ${costUsd} USD${payment?.transaction ? `, transaction ${payment.transaction}` : ""}.`;
}

/** Shows a service's stream. Without its end, only the most is known that it may have cost. */
async function shownAt(
  terminal: Terminal,
  client: ReturnType<typeof createClient>,
  answer: StreamedAnswer<unknown>,
  signal: AbortSignal,
): Promise<{ data: typeof SHOWN; meta?: CallMeta }> {
  if (await showStream(terminal, answer).catch(unlessLeft(signal))) return { data: SHOWN, meta: await answer.meta };
  const { spentUsd, heldUsd } = client.$spending();
  const most = fromMicros(toMicros(spentUsd) + toMicros(heldUsd));
  terminal.note(terminal.dim(`Left early: what arrived is charged, at most ${most} USD.`));
  return { data: SHOWN };
}

/** `x-svc-credit:token`, as an earlier call printed it. */
function creditOf({ CREDIT }: Invocation["env"]): CreditToken[] {
  if (!CREDIT) return [];
  const [, header, token] = /^([a-z0-9-]+):(\S+)$/i.exec(CREDIT) ?? [];
  if (!header || !token)
    throw new UsageError("CREDIT must be a header as an earlier call printed it: its name, a colon, the token.");
  return [{ header, token }];
}

/** Printed, because the credit would be lost otherwise. */
function tellCredit(terminal: Terminal, credits: readonly CreditToken[]): void {
  for (const { header, token } of credits)
    terminal.note(`Credit is left at the service. For the next call: CREDIT=${header}:${token}`);
}

/** Names the limit as the command's option, and tells how to resume an open purchase. */
function withFlags(error: unknown, key: string): unknown {
  if (!CapabilityError.is(error)) return error;
  if (error.code === "SETTLEMENT_PENDING") {
    const message = "A payment was sent, and its outcome is unknown. The same command";
    return new CapabilityError(error.code, `${message} Call again with --key ${key}: nothing is bought twice.`);
  }
  if (error.code !== "SPENDING_LIMIT") return error;
  const [issue] = error.issues ?? [];
  const asked = Object.entries(FLAGS).find(([option]) => option.startsWith("limits.") && option === issue?.path);
  if (asked) return new CapabilityError(error.code, `${sentence(error.message)} ${asked[1]} is the limit.`);
  if (issue?.path === "limits.pin")
    return new CapabilityError(error.code, `${sentence(error.message)} If you know why, add --accept-seller.`);
  if (issue?.path.startsWith("limits.")) return error;
  const limit = error.issues?.find(({ path }) => path === "maxPerCallUsd");
  const why = limit ? `This call costs more: --max-usd ${limit.message}.` : sentence(error.message);
  return new CapabilityError(error.code, `${why} Raise --max-usd to go on.`);
}

/** Explains what to do about a price without a wallet. */
function withoutWallet(error: unknown): unknown {
  if (!CapabilityError.is(error) || !["PAYMENT_REQUIRED", "SPENDING_LIMIT"].includes(error.code)) return error;
  const { accepts } = (error.cause ?? {}) as { accepts?: { amount: string }[] };
  const amount = accepts?.[0]?.amount;
  const price = amount === undefined ? "" : ` It costs ${fromMicros(BigInt(amount))} USD.`;
  const message = `${sentence(error.message)}${price} Set WALLET_KEY or SOLANA_KEY to pay, COINSLOT_API_KEY if you have an account there, or ask for the free trial with --trial.`;
  const wait = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
  return new CapabilityError("PAYMENT_REQUIRED", message, wait);
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

const EXTENSIONS: Record<string, string> = {
  "image/svg+xml": "svg",
  "image/jpeg": "jpg",
  "application/json": "json",
  "text/plain": "txt",
};

const asFile = (result: unknown): BinaryResult => ({
  contentType: "application/json",
  body: `${JSON.stringify(result, null, 2)}\n`,
});

/** Writes a file to the requested path; without one, to a file named after its content, or to the pipe. */
async function deliver({ terminal, options }: Invocation, { id }: AnyCapability, file: BinaryResult): Promise<void> {
  const bytes = typeof file.body === "string" ? new TextEncoder().encode(file.body) : file.body;
  const type = file.contentType.split(";")[0] ?? "";
  const out = options.out as string | undefined;
  if (out === "-" || (out === undefined && !terminal.watched && !options.json)) return terminal.bytes(bytes);
  const name = out ?? `${id.replace(".", "-")}.${EXTENSIONS[type] ?? type.split("/")[1] ?? "bin"}`;
  await writeFile(name, bytes).catch((cause: unknown) => {
    throw new UsageError(`${name} cannot be written.`, { cause });
  });
  if (options.json) terminal.out(JSON.stringify({ file: name, contentType: file.contentType, bytes: bytes.length }));
  else terminal.note(`${terminal.green("Saved")} ${name} (${type}, ${bytes.length} bytes)`);
}

/** Reports the download of bulk files during a first call. */
const progressOn = (terminal: Terminal): Logger => ({
  ...silent,
  info(facts) {
    const { download, file, bytes = 0 } = facts as Partial<DownloadProgress>;
    if (download === undefined) return;
    const size = `${file}: ${(bytes / 1e6).toFixed(1)} MB`;
    if (download === "done") terminal.note(terminal.dim(`downloaded ${size}`));
    else terminal.progress(`downloading ${size}`);
  },
});
