/**
 * Data published as one file: downloaded once, kept in the data folder, indexed in memory, refreshed by age. A copy is
 * replaced in one step and only by a complete one; while refreshing fails, the old one stays in use.
 */

import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline as pipe, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { deadline } from "../../lib/abort.js";
import { retryAfterMs } from "../exchange.js";
import { agentFor } from "../user-agent.js";
import { limitBytes, reportProgress } from "./bulk-streams.js";

export interface BulkFile<Index> {
  /** Its name in the data folder. An existing file of this name is used as it is. */
  name: string;
  provider: Provider;
  /** A function if each copy is published under its own address. */
  url: string | ((ctx: Context) => Promise<string>);
  /** Requested in this order if the first does not answer. */
  mirrors?: string[];
  /** Older copies are refreshed in the background. */
  maxAgeMs: number;
  maxBytes: number;
  /** Converts the published file to the stored one, if they differ. */
  convert?(published: Readable): AsyncIterable<string>;
  /**
   * Creates the index from a stream of the file's bytes; the whole file is never in memory. A refresh also gets the
   * current index, to refuse a file that lost much of its content.
   */
  build(file: Readable, previous?: Index): Promise<Index>;
}

export interface Loaded<Index> {
  index: Index;
  /** When the copy was fetched, or written by the operator. */
  fetchedAt: Date;
}

interface Kept<Index> extends Loaded<Index> {
  /** When the upstream was last asked for a newer copy. */
  checkedAt: number;
  refreshing?: Promise<void> | undefined;
}

/** Validators of a copy, for conditional requests. */
interface Validators {
  etag?: string;
  lastModified?: string;
}

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Indexes in memory, by data folder and file name. Running loads are included, so that a file is never loaded twice at
 * a time.
 */
const kept = new Map<string, Promise<Kept<unknown>>>();

/**
 * The index of a bulk file, loaded on first use. With `cache: false` nothing is kept: the file is read from the data
 * folder if it exists, otherwise streamed from its upstream. Rejects with UPSTREAM_ERROR without a copy and an answer.
 */
export async function loadBulk<Index>(ctx: Context, file: BulkFile<Index>): Promise<Loaded<Index>> {
  try {
    return await load(ctx, file);
  } catch (cause) {
    if (CapabilityError.is(cause)) throw cause;
    throw new CapabilityError("UPSTREAM_ERROR", `${file.name} could not be loaded.`, { cause });
  }
}

async function load<Index>(ctx: Context, file: BulkFile<Index>): Promise<Loaded<Index>> {
  const path = join(ctx.dataDir, file.name);
  if (ctx.cache === false) return loadUncached(ctx, file, path);
  const known = kept.get(path) as Promise<Kept<Index>> | undefined;
  const loading = known ?? loadFirst(ctx, file, path);
  if (!known) {
    kept.set(path, loading);
    loading.catch(() => kept.delete(path));
  }
  const copy = await loading;
  refreshIfOld(ctx, file, { path, copy });
  return copy;
}

/** Drops the indexes in memory, so that the next call reads the data folder again. */
export function forgetBulk(): void {
  kept.clear();
}

async function loadUncached<Index>(ctx: Context, file: BulkFile<Index>, path: string): Promise<Loaded<Index>> {
  const fetchedAt = await modifiedAt(path);
  if (fetchedAt) return { index: await file.build(createReadStream(path)), fetchedAt };
  const response = await request(ctx, file, {});
  return { index: await file.build(fileOf(ctx, file, response)), fetchedAt: ctx.clock() };
}

async function loadFirst<Index>(ctx: Context, file: BulkFile<Index>, path: string): Promise<Kept<Index>> {
  const present = await modifiedAt(path);
  const index = present ? await file.build(createReadStream(path)) : await download(ctx, file, path);
  if (index === undefined) throw new Error("the server answered 304 without a local copy");
  const fetchedAt = present ?? ctx.clock();
  return { index, fetchedAt, checkedAt: fetchedAt.getTime() };
}

function refreshIfOld<Index>(
  ctx: Context,
  file: BulkFile<Index>,
  { path, copy }: { path: string; copy: Kept<Index> },
): void {
  const now = ctx.clock().getTime();
  if (copy.refreshing || now - copy.checkedAt < file.maxAgeMs) return;
  copy.checkedAt = now;
  const refresh = async () => {
    copy.index = (await download(ctx, file, path, copy.index)) ?? copy.index;
    // An unchanged copy counts as new, because the upstream confirmed that it is the newest.
    copy.fetchedAt = ctx.clock();
    await utimes(path, copy.fetchedAt, copy.fetchedAt);
  };
  copy.refreshing = refresh()
    .catch((error: unknown) => ctx.logger.warn({ file: file.name, error }, "bulk: refresh failed, the old copy stays"))
    .finally(() => {
      copy.refreshing = undefined;
    });
}

/** Fetches a copy into the data folder and indexes it; undefined if the upstream has nothing newer. */
async function download<Index>(
  ctx: Context,
  file: BulkFile<Index>,
  path: string,
  previous?: Index,
): Promise<Index | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const response = await request(ctx, file, (await modifiedAt(path)) ? await readValidators(path) : {});
  if (response.status === 304) return undefined;
  // In the same folder, since a rename is atomic only within one file system.
  const part = `${path}.${process.pid}.${Math.floor(ctx.random() * 1e9)}.part`;
  const body = fileOf(ctx, file, response);
  const written = createWriteStream(part);
  try {
    await pipeline(body, written);
    // An error page is a complete download, too, so only an indexed file replaces the old copy.
    const index = await file.build(createReadStream(part), previous);
    await rename(part, path);
    await saveValidators(path, response);
    return index;
  } finally {
    // A file that is still being opened would appear after it was removed.
    if (!written.closed) await new Promise<void>((resolve) => written.once("close", resolve));
    await rm(part, { force: true });
  }
}

async function saveValidators(path: string, response: Response): Promise<void> {
  const validators: Validators = {};
  const [etag, lastModified] = [response.headers.get("etag"), response.headers.get("last-modified")];
  if (etag) validators.etag = etag;
  if (lastModified) validators.lastModified = lastModified;
  await writeFile(`${path}.meta.json`, JSON.stringify(validators));
}

async function request(ctx: Context, file: BulkFile<unknown>, known: Validators): Promise<Response> {
  const headers: Record<string, string> = { "user-agent": agentFor(file.provider, ctx), ...file.provider.headers };
  if (known.etag) headers["if-none-match"] = known.etag;
  if (known.lastModified) headers["if-modified-since"] = known.lastModified;
  let cause: unknown;
  const first = typeof file.url === "string" ? file.url : await file.url(ctx);
  for (const url of [first, ...(file.mirrors ?? [])]) {
    try {
      ctx.logger.info({ file: file.name, url }, "bulk: downloading");
      // A caller's leaving does not end a download that later callers need.
      const response = await ctx.fetch(url, { headers, signal: deadline(DOWNLOAD_TIMEOUT_MS).signal });
      if (response.ok || response.status === 304) return response;
      await response.body?.cancel();
      cause = response;
    } catch (error) {
      cause = error;
    }
  }
  throw downloadError(file, cause);
}

/** Why the last address failed: an answer of another status, or the request's rejection. */
function downloadError({ provider, name }: BulkFile<unknown>, cause: unknown): CapabilityError {
  const message = `${provider.name} did not deliver ${name}.`;
  if (cause instanceof Response && cause.status === 429) {
    const waitMs = retryAfterMs({ header: (header) => cause.headers.get(header) });
    const retry = waitMs === undefined ? {} : { retryAfter: Math.ceil(waitMs / 1000) };
    return new CapabilityError("UPSTREAM_RATE_LIMIT", message, retry);
  }
  if (cause instanceof DOMException && cause.name === "TimeoutError")
    return new CapabilityError("UPSTREAM_TIMEOUT", message, { cause });
  return new CapabilityError("UPSTREAM_ERROR", message, { cause });
}

/** The bytes as the data folder keeps them. */
function fileOf(ctx: Context, file: BulkFile<unknown>, response: Response): Readable {
  const body = bodyOf(ctx, file, response);
  if (!file.convert) return body;
  const { convert } = file;
  return Readable.from(encode(convert(body)), { objectMode: false });
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

function bodyOf(ctx: Context, file: BulkFile<unknown>, response: Response): Readable {
  if (!response.body) throw new CapabilityError("UPSTREAM_ERROR", `${file.provider.name} sent an empty ${file.name}.`);
  const stages = [limitBytes(file.maxBytes, file.name), reportProgress(ctx.logger, file.name)] as const;
  // A download that breaks before it is read must not end the process; its later reader still gets the error.
  const body = pipe(Readable.fromWeb(response.body), ...stages, () => {});
  body.on("error", () => {});
  return body;
}

async function modifiedAt(path: string): Promise<Date | undefined> {
  return stat(path).then(
    ({ mtime, size }) => (size > 0 ? mtime : undefined),
    () => undefined,
  );
}

async function readValidators(path: string): Promise<Validators> {
  return readFile(`${path}.meta.json`, "utf8").then(
    (text) => JSON.parse(text) as Validators,
    () => ({}),
  );
}
