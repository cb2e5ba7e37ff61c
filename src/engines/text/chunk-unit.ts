/** A part that is kept whole where it fits; `ownChunk` begins a chunk. */
export interface Unit {
  end: number;
  headings?: string[];
  ownChunk?: boolean;
}
