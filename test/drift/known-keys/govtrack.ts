import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v2/vote/*",
    source: "www.govtrack.us/developers/api, vote",
    objects: {
      "": "category category_label chamber chamber_label congress created id link margin missing_data number options percent_plus question question_details related_amendment related_bill required result session source source_label total_minus total_other total_plus vote_type voteview_extra_data is_on_passage",
      "options[]": "id key value vote winner",
    },
    rare: ["related_bill", "result", "total_plus", "total_minus"],
  },
];
