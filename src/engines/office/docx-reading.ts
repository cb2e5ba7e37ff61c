/** State that the readers of a Word document's parts share. */
import type { CellRoom } from "../markdown/cells.js";
import type { Members, Relation } from "../xml/parts.js";
import type { Picture } from "./document.js";
import type { Formats } from "./docx-formats.js";

export interface DocxReading {
  members: Members;
  formats: Formats;
  relations: ReadonlyMap<string, Relation>;
  images: Picture[];
  /** For the cells of its tables. */
  room: CellRoom;
  /** Ids of the notes that were met, in order. */
  notes: { kind: "footnote" | "endnote"; id: string }[];
}
