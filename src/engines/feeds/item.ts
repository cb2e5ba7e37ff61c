/** An entry, or the feed itself, while it is read: what stands higher counts more than what stands deeper. */
import type { FeedText } from "./content.js";
import type { Enclosure } from "./feed.js";
import { MAX_ENCLOSURES } from "./feed.js";

type Key =
  | "id"
  | "title"
  | "published"
  | "updated"
  | "author"
  | "language"
  | "summary"
  | "description"
  | "subtitle"
  | "content";

export class Item {
  readonly #values = new Map<Key, { value: FeedText; depth: number }>();
  readonly enclosures: Enclosure[] = [];
  url: string | undefined;
  /** Whether content was told under its own name. */
  hasContent = false;
  #linkIsFirst = true;

  /** The last of those that stand least deep. */
  set(key: Key, value: FeedText | string, depth: number): void {
    const before = this.#values.get(key);
    if (before && before.depth < depth) return;
    this.#values.set(key, { value: typeof value === "string" ? plain(value) : value, depth });
  }

  /** The first of those that stand least deep. */
  setFirst(key: Key, value: FeedText | string, depth: number): void {
    const before = this.#values.get(key);
    if (!before || before.depth > depth) this.set(key, value, depth);
  }

  has(key: Key): boolean {
    return this.#values.has(key);
  }

  text(key: Key): FeedText | undefined {
    return this.#values.get(key)?.value;
  }

  /** Null for what is missing or empty. */
  value(key: Key): string | null {
    return this.text(key)?.value || null;
  }

  link(address: string, { isPage }: { isPage: boolean }): void {
    if (!isPage && !this.#linkIsFirst) return;
    this.url = address;
    this.#linkIsFirst = false;
  }

  enclose(enclosure: Enclosure): void {
    if (this.enclosures.length < MAX_ENCLOSURES) this.enclosures.push(enclosure);
  }
}

const plain = (value: string): FeedText => ({ value, isHtml: false, type: "text/plain" });
