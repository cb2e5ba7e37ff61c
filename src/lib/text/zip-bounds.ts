/** Callers' archives: read within bounds that are counted on what comes out, because headers may lie. */
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../lazy.js";
import { named } from "../packages/named.js";

const ZIP_BOUNDS = {
  members: 2_000,
  /** Unpacked bytes of all members together. */
  total: 60_000_000,
  /** Unpacked bytes of one member. */
  member: 30_000_000,
  /** Times that a member may grow, once more than `freely` bytes came out. */
  ratio: 200,
  freely: 1_000_000,
};

const yauzl = /* @__PURE__ */ lazy(() => import("yauzl").then(named));

/**
 * The members of an archive that `wants` names, unpacked. All members count for the bounds. Rejects with INVALID_INPUT
 * for a file that is not an archive, is encrypted, or exceeds `ZIP_BOUNDS`; names that lead out of the archive are left out.
 *
 * @example
 * ```ts
 * const members = await readZip(bytes, (name) => name.endsWith(".xml"), "file");
 * members.get("xl/workbook.xml");
 * ```
 */
export async function readZip(
  bytes: Uint8Array,
  wants: (name: string) => boolean,
  field: string,
): Promise<Map<string, Uint8Array>> {
  const { fromBufferPromise } = await yauzl();
  const members = new Map<string, Uint8Array>();
  let total = 0;
  try {
    // Names stay bytes, because the library refuses a whole archive for one name that leads out of it.
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, decodeStrings: false });
    // Before any is unpacked: the library reads as many as the archive says that it has, and no more.
    if (zip.entryCount > ZIP_BOUNDS.members) throw invalid(field, `has more than ${ZIP_BOUNDS.members} members`);
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw invalid(field, "is encrypted: send it without a password");
      const name = Buffer.from(entry.fileName).toString("utf8");
      const keep = isInside(name) && wants(name);
      const stream = (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
      const { size, chunks } = await unpack(stream, {
        keep,
        packed: entry.compressedSize,
        left: ZIP_BOUNDS.total - total,
        field,
      });
      total += size;
      if (keep) members.set(name, Buffer.concat(chunks));
    }
  } catch (error) {
    if (CapabilityError.is(error)) throw error;
    throw invalid(field, "is not an archive that can be read");
  }
  return members;
}

interface Unpacking {
  keep: boolean;
  /** Bytes that the member has in the archive. */
  packed: number;
  /** Bytes that the archive may still unpack to. */
  left: number;
  field: string;
}

async function unpack(stream: AsyncIterable<Buffer>, { keep, packed, left, field }: Unpacking) {
  const { member, ratio, freely } = ZIP_BOUNDS;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > member || size > left) throw invalid(field, "unpacks to more than 60 MB, or to a member above 30 MB");
    if (size > freely && size > packed * ratio) throw invalid(field, `unpacks to more than ${ratio} times its size`);
    if (keep) chunks.push(chunk);
  }
  return { size, chunks };
}

const isInside = (name: string): boolean => !/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name);
