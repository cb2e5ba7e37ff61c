/** Sources of events: each with its label and its search. */
import type { Context } from "../../capability/types.js";
import type { EventRow, Window } from "../../engines/events/event-row.js";
import { findPapers } from "../../providers/arxiv/papers.js";
import { findOpinions } from "../../providers/courtlistener/opinions.js";
import { findDocuments } from "../../providers/federal-register/documents.js";
import { findVotes } from "../../providers/govtrack/votes.js";

interface EventSource {
  label: string;
  /** Its content, for the model that chooses among the sources. */
  what: string;
  find(words: string, window: Window, ctx: Context): Promise<EventRow[]>;
}

export const SOURCES = {
  "federal-register": {
    label: "Federal Register",
    what: "US federal rules, proposed rules, notices and presidential documents",
    find: findDocuments,
  },
  "congress-votes": {
    label: "Congressional votes",
    what: "roll-call votes of the US House and Senate",
    find: findVotes,
  },
  "academic-papers": {
    label: "arXiv",
    what: "preprints in science, mathematics, computing and economics",
    find: findPapers,
  },
  "federal-courts": {
    label: "CourtListener",
    what: "opinions of the US Supreme Court and the federal courts of appeals",
    find: findOpinions,
  },
} satisfies Record<string, EventSource>;

export type SourceId = keyof typeof SOURCES;
export const SOURCE_IDS = Object.keys(SOURCES) as SourceId[];
