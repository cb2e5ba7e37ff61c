/** Reads a feed of any format. Runs in a thread, since callers send up to 3 MB. */
import { invalid } from "../../errors.js";
import type { Feed } from "./feed.js";
import { readJsonFeed } from "./json-feed.js";
import { readXmlFeed } from "./xml-feed.js";

export interface FeedTask {
  text: string;
  base: string | undefined;
  limit: number;
}

export function readFeed({ text, base, limit }: FeedTask): Feed {
  const start = text.slice(0, 2_000).replace(/^[\uFEFF\s]+/, "");
  if (start.startsWith("{")) return readJsonFeed(text.replace(/^\uFEFF/, ""), base, limit);
  if (!start.startsWith("<")) throw invalid("", "is not a feed: it begins neither as XML nor as JSON");
  if (/^<(?:!doctype\s+html|html)[\s>]/i.test(start))
    throw invalid("", "is a page of HTML, not a feed: send the address of its feed");
  return readXmlFeed(text, base, limit);
}
