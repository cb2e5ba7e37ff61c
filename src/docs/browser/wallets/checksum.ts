/** Address of an EVM wallet with its checksum (EIP-55), as the text of a sign-in has it. */

/** Keccak-256 of a short text: Ethereum's, of which browsers have none. */
function keccak256(text: string): Uint8Array {
  const block = new Uint8Array(136);
  block.set(new TextEncoder().encode(text));
  block[text.length] = 1;
  block[135] = (block[135] ?? 0) | 0x80;
  const view = new DataView(block.buffer);
  const lanes = Array.from({ length: 25 }, (_, i) => (i < 17 ? view.getBigUint64(i * 8, true) : 0n));
  permute(lanes);
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(i * 8, lanes[i] ?? 0n, true);
  return new Uint8Array(out.buffer);
}

const MASK = (1n << 64n) - 1n;
const rotated = (lane: bigint, by: number): bigint =>
  by === 0 ? lane : ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;

/** The 24 rounds of Keccak-f[1600]; their constants come from its shift register. */
function permute(lanes: bigint[]): void {
  const at = (x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] ?? 0n;
  let register = 1;
  for (let round = 0; round < 24; round++) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ at(x, y), 0n));
    for (let i = 0; i < 25; i++) {
      const [left = 0n, right = 0n] = [columns[(i + 4) % 5], columns[((i % 5) + 1) % 5]];
      lanes[i] = (lanes[i] ?? 0n) ^ left ^ rotated(right, 1);
    }
    let [x, y, lane] = [1, 0, at(1, 0)];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = at(x, y);
      lanes[x + 5 * y] = rotated(lane, (((step + 1) * (step + 2)) / 2) % 64);
      lane = next;
    }
    const rows = [...lanes];
    for (let i = 0; i < 25; i++) {
      const row = i - (i % 5);
      const [a = 0n, b = 0n, c = 0n] = [rows[i], rows[row + ((i + 1) % 5)], rows[row + ((i + 2) % 5)]];
      lanes[i] = a ^ (~b & MASK & c);
    }
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) lanes[0] = (lanes[0] ?? 0n) ^ (1n << BigInt((1 << bit) - 1));
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}

export function checksummed(address: string): string {
  const plain = address.toLowerCase().replace(/^0x/, "");
  const hash = keccak256(plain);
  const digit = (i: number) => ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15;
  return `0x${[...plain].map((sign, i) => (digit(i) >= 8 ? sign.toUpperCase() : sign)).join("")}`;
}
