import { createWriteStream, ReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { deferStreamErrors } from "../defer-stream-errors.js";

const yauzl = lazy(() => import("yauzl").then(named));

/** Opens a member of an archive as a stream, as often as needed; undefined if there is none of that name. */
export type OpenMember = (name: string) => Promise<Readable | undefined>;

type UseArchive<T> = (open: OpenMember, names: readonly string[]) => Promise<T>;

/**
 * Opens a ZIP archive while `use` runs. The directory is at the archive's end, so a stream that is not a file is first
 * written to a temporary one. `names` are those of its members. Rejects for an invalid archive.
 */
export async function withZip<T>(archive: Readable, use: UseArchive<T>): Promise<T> {
  if (archive instanceof ReadStream) {
    archive.destroy();
    return withZipFile(String(archive.path), use);
  }
  const held = deferStreamErrors(archive);
  const folder = await mkdtemp(join(tmpdir(), "zip-"));
  try {
    const path = join(folder, "archive.zip");
    await pipeline(held, createWriteStream(path));
    return await withZipFile(path, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withZipFile<T>(path: string, use: UseArchive<T>): Promise<T> {
  const { openPromise } = await yauzl();
  const zip = await openPromise(path, { autoClose: false });
  try {
    const members = new Map<string, Parameters<typeof zip.openReadStreamPromise>[0]>();
    for await (const entry of zip.eachEntry()) members.set(entry.fileName, entry);
    const open: OpenMember = async (name) => {
      const entry = members.get(name);
      return entry && zip.openReadStreamPromise(entry);
    };
    return await use(open, [...members.keys()]);
  } finally {
    zip.close();
  }
}
