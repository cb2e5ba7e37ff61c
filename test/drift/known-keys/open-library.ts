import type { KnownKeys } from "../../support/render-inventories.js";

const RATINGS = [1, 2, 3, 4, 5].map((stars) => `ratings_count_${stars}`).join(" ");

/** A catalogue of works that anybody may add: one may have only a title. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/search.json",
    source: "openlibrary.org/dev/docs/api/search and its schema of Solr",
    objects: {
      "": "numFound start numFoundExact num_found documentation_url q offset docs error",
      "docs[]": `key type title title_suggest title_sort subtitle alternative_title alternative_subtitle redirects has_fulltext author_name author_key author_alternative_name author_facet contributor cover_i cover_edition_key by_statement publish_date publish_year publish_place publisher publisher_facet first_publish_year first_sentence edition_count edition_key editions ebook_access ebook_count_i ebook_provider providers public_scan_b printdisabled_s has_fulltext ia ia_box_id ia_collection ia_collection_s ia_count ia_loaded_id lending_edition_s lending_identifier_s isbn lccn lcc lcc_sort ddc ddc_sort oclc osp_count language number_of_pages number_of_pages_median format name_sort subject subject_facet subject_key subject_people subject_places subject_times person person_facet person_key place place_facet place_key time time_facet time_key chapter seed series series_key series_name series_position list_key last_modified_i table_of_contents readinglog_count want_to_read_count currently_reading_count already_read_count stopped_reading_count ratings_average ratings_sortable ratings_count ${RATINGS} trending_score_hourly_sum trending_z_score trending_score_daily_0 id_amazon id_goodreads id_google id_gutenberg id_librarything id_librivox id_libris id_overdrive id_project_gutenberg id_project_runeberg id_standard_ebooks id_openstax id_wikidata id_cita_press id_wikisource id_better_world_books id_nla id_bnb availability lexile text _version_`,
    },
    rare: [
      ...["author_key", "author_name", "cover_i", "ebook_access", "edition_count", "first_publish_year"],
      ...["has_fulltext", "language", "public_scan_b"],
    ].map((name) => `docs[].${name}`),
  },
];
