/** Facts of a feed, whatever its format. */
export type FeedFormat = "rss" | "atom" | "rdf" | "cdf" | "jsonfeed";

export interface Enclosure {
  url: string;
  type: string | null;
  /** Bytes. */
  length: number | null;
}

export interface FeedEntry {
  id: string | null;
  title: string | null;
  url: string | null;
  published: string | null;
  updated: string | null;
  author: string | null;
  summary: string | null;
  html: string | null;
  enclosures: Enclosure[];
}

export interface Feed {
  format: FeedFormat;
  title: string | null;
  url: string | null;
  description: string | null;
  language: string | null;
  updated: string | null;
  entries: FeedEntry[];
}

export const MAX_ENTRIES = 500;
export const MAX_ENCLOSURES = 50;
