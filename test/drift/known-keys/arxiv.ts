import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/query",
    source: "info.arxiv.org/help/api/user-manual.html",
    objects: {
      feed: "id title updated link entry author generator rights opensearch:totalResults opensearch:startIndex opensearch:itemsPerPage opensearch:Query @xmlns @xmlns:opensearch @xmlns:arxiv @xml:lang",
      "feed.entry":
        "id title summary published updated link category author contributor rights source content arxiv:comment arxiv:primary_category arxiv:journal_ref arxiv:doi arxiv:affiliation arxiv:announce_type @xmlns:arxiv",
      "feed.entry.author": "name arxiv:affiliation email uri",
    },
    rare: ["feed.entry", "feed.entry.summary", "feed.entry.published", "feed.entry.author"],
  },
];
