import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/search",
    source: "docs.tavily.com, Search",
    objects: {
      "": "query follow_up_questions answer images results failed_results response_time request_id auto_parameters usage",
      "results[]": "title url content score raw_content favicon images published_date id language",
    },
    rare: ["answer", "results[].title", "results[].score", "results[].content"],
  },
];
