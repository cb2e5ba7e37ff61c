import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/rest/v4/search",
    source: "www.courtlistener.com/help/api/rest/search",
    objects: {
      "": "count document_count next previous results",
      "results[]":
        "absolute_url attorney caseName caseNameFull citation citeCount cluster_id court court_citation_string court_exact court_id dateArgued dateFiled dateReargued dateReargumentDenied docketNumber docket_id judge lexisCite meta neutralCite non_participating_judge_ids opinions panel_ids panel_names posture procedural_history scdb_id sibling_ids snippet source status suitNature syllabus timestamp pacer_case_id type",
      "results[].opinions[]":
        "author_id cites download_url id joined_by_ids local_path meta ordering_key per_curiam sha1 snippet type",
    },
    rare: [
      ...["citation", "absolute_url", "syllabus", "opinions", "sibling_ids", "meta"].map((name) => `results[].${name}`),
      "results[].opinions[].snippet",
    ],
  },
];
