/** Interchanges, groups and transactions: what opens them, what ends them, and the counts that their ends tell. */
import { invalid } from "../../errors.js";
import type { Delimiters, ElementValue, Faults, PlacedSegment, Segment } from "./segment.js";
import { isSameControl } from "./segment.js";

export interface Transaction {
  type: string;
  control: string;
  version: string | null;
  agency: string | null;
  association: string | null;
  /** Further elements of the header. */
  more: ElementValue[];
  segments: Segment[];
}

export interface Group {
  /** All is null where the interchange has no groups. */
  functionalId: string | null;
  version: string | null;
  control: string | null;
  agency: string | null;
  sender: string | null;
  receiver: string | null;
  date: string | null;
  time: string | null;
  transactions: Transaction[];
}

export interface Interchange {
  /** Identifier and version of the syntax, such as UNOC and 3. */
  syntax: string[];
  sender: string;
  /** Further components, such as the qualifier. */
  senderMore: string[];
  receiver: string;
  receiverMore: string[];
  control: string;
  date: string | null;
  time: string | null;
  /** Further elements of the header. */
  more: ElementValue[];
  groups: Group[];
  /** Segments beside groups and transactions. */
  segments: Segment[];
}

export const NO_GROUP: Omit<Group, "transactions"> = {
  ...{ functionalId: null, version: null, control: null, agency: null, sender: null, receiver: null },
  ...{ date: null, time: null },
};

export interface EdiFile {
  format: "x12" | "edifact" | "tradacoms";
  delimiters: Delimiters;
  interchanges: Interchange[];
}

/** Their members are written also where a header leaves them out, in ten times the length of that. */
const MAX_HEADERS = 20_000;

/** Puts segments where they belong, and compares what trailers tell with what was found. */
export class Assembler {
  readonly interchanges: Interchange[] = [];
  #interchange: Interchange | undefined;
  #group: Group | undefined;
  #transaction: Transaction | undefined;
  #headers = 0;

  constructor(readonly faults: Faults) {}

  get isOpen(): boolean {
    return this.#interchange !== undefined;
  }

  openInterchange(interchange: Interchange, at: number): void {
    this.#count();
    this.#endAll(at);
    this.#interchange = interchange;
    this.interchanges.push(interchange);
  }

  openGroup(group: Group, at: number): void {
    this.#count();
    if (this.#transaction || this.#isRealGroup()) this.faults.add("unfinished", at);
    this.#transaction = undefined;
    this.#group = group;
    this.#interchange?.groups.push(group);
  }

  openTransaction(transaction: Transaction, at: number): void {
    this.#count();
    if (this.#transaction) this.faults.add("unfinished", at);
    if (!this.#group) this.openGroup({ ...NO_GROUP, transactions: [] }, at);
    this.#transaction = transaction;
    this.#group?.transactions.push(transaction);
  }

  put({ tag, elements }: Segment): void {
    (this.#transaction ?? this.#interchange)?.segments.push({ tag, elements });
  }

  /** `told` is the count of segments with header and trailer; TRADACOMS repeats no control number. */
  endTransaction({ at }: PlacedSegment, told: string, control: string | undefined): void {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (!transaction) {
      this.faults.add("unfinished", at);
      return;
    }
    if (!isSameControl(told, String(transaction.segments.length + 2))) this.faults.add("segment-count", at);
    if (control !== undefined && !isSameControl(control, transaction.control)) this.faults.add("control-number", at);
  }

  endGroup({ at }: PlacedSegment, told: string, control: string | undefined): void {
    if (this.#transaction) this.faults.add("unfinished", at);
    const group = this.#isRealGroup() ? this.#group : undefined;
    this.#transaction = undefined;
    this.#group = undefined;
    if (!group) {
      this.faults.add("unfinished", at);
      return;
    }
    if (!isSameControl(told, String(group.transactions.length))) this.faults.add("group-count", at);
    if (control !== undefined && !isSameControl(control, group.control ?? "")) this.faults.add("control-number", at);
  }

  /** `told` counts groups, or transactions where there are no groups; TRADACOMS counts messages only. */
  endInterchange({ at }: PlacedSegment, told: string, control: string | undefined, countsGroups = true): void {
    const interchange = this.#interchange;
    if (!interchange) {
      this.faults.add("unfinished", at);
      return;
    }
    if (this.#transaction || this.#isRealGroup()) this.faults.add("unfinished", at);
    const real = interchange.groups.filter((group) => group.control !== null).length;
    const plain = interchange.groups.reduce((count, { transactions }) => count + transactions.length, 0);
    if (!isSameControl(told, String((countsGroups && real) || plain))) this.faults.add("group-count", at);
    if (control !== undefined && !isSameControl(control, interchange.control)) this.faults.add("control-number", at);
    this.#close();
  }

  /** At the end of the text. */
  end(at: number): void {
    this.#endAll(at);
  }

  #count(): void {
    // guard: offline: an EDI file has a largest number of headers | gone | edi/edi
    if (++this.#headers > MAX_HEADERS)
      throw invalid("", `must have at most ${MAX_HEADERS} interchanges, groups and messages: send it in parts`);
  }

  #isRealGroup(): boolean {
    return this.#group !== undefined && this.#group.control !== null;
  }

  #endAll(at: number): void {
    if (this.#interchange) this.faults.add("unfinished", at);
    this.#close();
  }

  #close(): void {
    this.#interchange = undefined;
    this.#group = undefined;
    this.#transaction = undefined;
  }
}
