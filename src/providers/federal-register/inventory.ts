// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/v1/documents.json","objects":"\tcount! n|results? a\tdescription|total_pages|next_page_url|previous_page_url\nresults[]\tdocument_number! s|type! s|title! s|abstract? s|publication_date! d|html_url? s|agencies! a|agency_names? a|topics? a\taction|dates|effective_on|citation|significant|excerpts|abstract_html_url|body_html_url|cfr_references|comment_url|comments_close_on|correction_of|corrections|disposition_notes|docket_id|docket_ids|dockets|end_page|executive_order_notes|executive_order_number|explanation|full_text_xml_url|images|images_metadata|json_url|mods_url|not_received_for_publication|page_length|page_views|pdf_url|president|presidential_document_number|proclamation_number|public_inspection_pdf_url|raw_text_url|regulation_id_number_info|regulation_id_numbers|regulations_dot_gov_info|regulations_dot_gov_url|signing_date|start_page|subtype|toc_doc|toc_subject|volume\nresults[].agencies[]\tname? s|id? n|url? s\traw_name|json_url|parent_id|slug"},
];
