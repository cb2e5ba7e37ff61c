/** How the embedded database takes and gives bytes. */

/** OID of bytea. */
const BYTEA = 17;

/** The protocol takes bytes as they are; as text they would be written, copied and read at twice their length. */
// guard: wallets: bytes reach the embedded database as they are |
//   returns `\\x${Buffer.from(bytes).toString("hex")}` | prepared
const asTheyAre = (bytes: Uint8Array): Uint8Array => bytes;
// A buffer of its own, because posting a message copies all memory that the buffer shares.
const fromHex = (text: string) => new Uint8Array(Buffer.from(text.slice(2), "hex"));

/** Options of PGlite, whose own ways go byte by byte, take several times as long, and delay all others. */
export const BYTES = {
  // Its types know texts only.
  serializers: { [BYTEA]: asTheyAre as unknown as (bytes: Uint8Array) => string },
  parsers: { [BYTEA]: fromHex },
};
