import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";

const field = (description: string) => z.string().nullable().describe(description);

/** An airframe in results. */
export const airframeSchema = /* @__PURE__ */ lazySchema(() =>
  z.object({
    icao24: z.string().describe("Mode S transponder address, 6 hex digits"),
    registration: field("Tail number"),
    manufacturer: field("Maker"),
    model: field("Maker's model name"),
    typecode: field("ICAO type designator, such as B738"),
    icaoType: field("ICAO class: kind, number and kind of engines, such as L2J"),
    serialNumber: field("Maker's serial number"),
    operator: field("Who flies it"),
    owner: field("Registered owner"),
    built: field("Year or date of manufacture"),
    engines: field("Engine maker and model"),
    category: field("Weight class"),
    registered: field("Date of registration, YYYY-MM-DD"),
    regUntil: field("Expiry of registration, YYYY-MM-DD"),
  }),
);
export type Airframe = z.output<ReturnType<typeof airframeSchema>>;

const ROWS_PER_CHUNK = 1000;
/** Exceeds any register's rows, so an address and a row number form one exact integer. */
const ROW_RANGE = 2 ** 24;

/** Finds airframes by address and by tail number, in rows packed into one buffer, because a register has 300,000. */
export interface Airframes {
  readonly count: number;
  byAddress(icao24: string): Airframe | undefined;
  byTail(tail: string): Airframe | undefined;
}

/** Collects airframes; `finish` creates the index. */
export class AirframesBuilder {
  readonly #sharedIds = new Map<string, number>();
  readonly #chunks: Buffer[] = [];
  readonly #starts: number[] = [];
  readonly #addresses: number[] = [];
  readonly #tails: number[] = [];
  #pending: string[] = [];
  #bytes = 0;

  add(airframe: Airframe): void {
    // Values that many airframes share are stored once.
    const { manufacturer, model, typecode, icaoType, engines, category } = airframe;
    const shared = pack([manufacturer, model, typecode, icaoType, engines, category]);
    const id = this.#sharedIds.get(shared) ?? this.#sharedIds.size;
    if (id === this.#sharedIds.size) this.#sharedIds.set(shared, id);
    const { icao24, registration, serialNumber, operator, owner, built, registered, regUntil } = airframe;
    const row = pack([icao24, String(id), registration, serialNumber, operator, owner, built, registered, regUntil]);
    const number = this.#starts.length;
    this.#starts.push(this.#bytes);
    this.#bytes += Buffer.byteLength(row);
    this.#addresses.push(keyOf(Number.parseInt(icao24, 16), number));
    if (registration) this.#tails.push(keyOf(tailNumber(registration), number));
    this.#pending.push(row);
    if (this.#pending.length === ROWS_PER_CHUNK) this.#flush();
  }

  finish(): Airframes {
    this.#flush();
    const starts = Uint32Array.from([...this.#starts, this.#bytes]);
    const rows = Buffer.concat(this.#chunks);
    const shared = [...this.#sharedIds.keys()];
    const read = (number: number | undefined) =>
      number === undefined ? undefined : unpack(rows.toString("utf8", starts[number], starts[number + 1]), shared);
    const addresses = Float64Array.from(this.#addresses).sort();
    const tails = Float64Array.from(this.#tails).sort();
    return {
      count: this.#starts.length,
      byAddress: (icao24) => read(rowOf(addresses, Number.parseInt(icao24, 16))),
      byTail: (tail) => read(rowOf(tails, tailNumber(tail))),
    };
  }

  #flush(): void {
    this.#chunks.push(Buffer.from(this.#pending.join("")));
    this.#pending = [];
  }
}

const pack = (fields: readonly (string | null)[]) =>
  fields.map((value) => value?.replace(/[\t\r\n]/g, " ") ?? "").join("\t");

function unpack(row: string, sharedRows: readonly string[]): Airframe {
  const [icao24 = "", id, registration, serialNumber, operator, owner, built, registered, regUntil] = row.split("\t");
  const shared = sharedRows[Number(id)]?.split("\t") ?? [];
  const [manufacturer, model, typecode, icaoType, engines, category] = shared;
  return {
    icao24,
    registration: registration || null,
    manufacturer: manufacturer || null,
    model: model || null,
    typecode: typecode || null,
    icaoType: icaoType || null,
    serialNumber: serialNumber || null,
    operator: operator || null,
    owner: owner || null,
    built: built || null,
    engines: engines || null,
    category: category || null,
    registered: registered || null,
    regUntil: regUntil || null,
  };
}

const keyOf = (key: number, row: number) => key * ROW_RANGE + row;

/** A tail number as a number: up to five letters and digits after the N, in base 36. */
const tailNumber = (tail: string) => Number.parseInt(tail.slice(1), 36) || 0;

/** The row of a key in sorted keys, by binary search. */
function rowOf(keys: Float64Array, key: number): number | undefined {
  const first = keyOf(key, 0);
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  const found = keys[low];
  return found !== undefined && found < keyOf(key + 1, 0) ? found - first : undefined;
}
