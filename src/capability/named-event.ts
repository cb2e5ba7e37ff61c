/** An event of a stream with a name of its own, which is sent as its source wrote it. */

/** Names of events by which a stream tells what became of it and of its payment. */
const OURS: ReadonlySet<string> = new Set(["error", "meta", "payment"]);

/** A chunk that leaves as `event:`, `id:` and `data:` lines; others leave as `data:` with their JSON. */
export class NamedEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;

  constructor(event: string, data: string, id?: string) {
    const name = event.replace(/[\r\n\0]/g, " ");
    this.event = OURS.has(name) ? `source-${name}` : name;
    this.data = data;
    if (id !== undefined) this.id = id.replace(/[\r\n\0]/g, " ");
  }

  /** The lines of the event. */
  static textOf({ event, data, id }: NamedEvent): string {
    const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}${lines.join("")}\n`;
  }
}
