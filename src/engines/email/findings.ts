/** Findings about the syntax of an address: those of Dominic Sayers' is_email. */

/**
 * Whether a text is an e-mail address, and by which standard: RFC 5321 (what servers send), RFC 5322 (what may stand in a
 * message), or what both allow but call obsolete. The findings are those of Dominic Sayers' is_email.
 */

/** Findings by gravity; the gravest decides. */
export const FINDINGS = {
  valid: 0,
  rfc5321_tld: 9,
  rfc5321_tldnumeric: 10,
  rfc5321_quotedstring: 11,
  rfc5321_addressliteral: 12,
  rfc5321_ipv6deprecated: 13,
  cfws_comment: 17,
  cfws_fws: 18,
  deprec_localpart: 33,
  deprec_fws: 34,
  deprec_qtext: 35,
  deprec_qp: 36,
  deprec_comment: 37,
  deprec_ctext: 38,
  deprec_cfws_near_at: 49,
  rfc5322_domain: 65,
  rfc5322_toolong: 66,
  rfc5322_local_toolong: 67,
  rfc5322_domain_toolong: 68,
  rfc5322_label_toolong: 69,
  rfc5322_domainliteral: 70,
  rfc5322_domlit_obsdtext: 71,
  rfc5322_ipv6_grpcount: 72,
  rfc5322_ipv6_2x2xcolon: 73,
  rfc5322_ipv6_badchar: 74,
  rfc5322_ipv6_maxgrps: 75,
  rfc5322_ipv6_colonstrt: 76,
  rfc5322_ipv6_colonend: 77,
  err_expecting_dtext: 129,
  err_nolocalpart: 130,
  err_nodomain: 131,
  err_consecutivedots: 132,
  err_atext_after_cfws: 133,
  err_atext_after_qs: 134,
  err_atext_after_domlit: 135,
  err_expecting_qpair: 136,
  err_expecting_atext: 137,
  err_expecting_qtext: 138,
  err_expecting_ctext: 139,
  err_backslashend: 140,
  err_dot_start: 141,
  err_dot_end: 142,
  err_domainhyphenstart: 143,
  err_domainhyphenend: 144,
  err_unclosedquotedstr: 145,
  err_unclosedcomment: 146,
  err_uncloseddomlit: 147,
  err_fws_crlf_x2: 148,
  err_fws_crlf_end: 149,
  err_cr_no_lf: 150,
} as const;

export type AddressFinding = keyof typeof FINDINGS;

export type Syntax = "valid" | "rfc5321" | "comment" | "deprecated" | "rfc5322" | "error";

export function syntaxOf(finding: AddressFinding): Syntax {
  if (finding === "valid") return "valid";
  // An IPv6 address that leaves out one group alone is obsolete, although it was RFC 5321 that allowed it.
  if (finding.startsWith("deprec") || finding === "rfc5321_ipv6deprecated") return "deprecated";
  if (finding.startsWith("cfws")) return "comment";
  if (finding.startsWith("rfc5321")) return "rfc5321";
  return finding.startsWith("rfc5322") ? "rfc5322" : "error";
}
