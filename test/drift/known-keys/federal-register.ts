import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v1/documents.json",
    source: "www.federalregister.gov/developers/documentation/api/v1",
    objects: {
      "": "count description total_pages next_page_url previous_page_url results",
      "results[]":
        "abstract abstract_html_url action agencies agency_names body_html_url cfr_references citation comment_url comments_close_on correction_of corrections dates disposition_notes docket_id docket_ids dockets document_number effective_on end_page excerpts executive_order_notes executive_order_number explanation full_text_xml_url html_url images images_metadata json_url mods_url not_received_for_publication page_length page_views pdf_url president presidential_document_number proclamation_number public_inspection_pdf_url publication_date raw_text_url regulation_id_number_info regulation_id_numbers regulations_dot_gov_info regulations_dot_gov_url significant signing_date start_page subtype title toc_doc toc_subject topics type volume",
      "results[].agencies[]": "raw_name name id url json_url parent_id slug",
    },
    rare: [
      ...["results", "results[].abstract", "results[].topics", "results[].agency_names", "results[].html_url"],
      ...["results[].agencies[].name", "results[].agencies[].id", "results[].agencies[].url"],
    ],
  },
];
