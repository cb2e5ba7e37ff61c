/** Domains that are addresses of IP in brackets (RFC 5321, section 4.1.3). */
import type { AddressFinding } from "./findings.js";

const OCTET = "(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)";

const IPV4 = new RegExp(`(?:^|:)${OCTET}(?:\\.${OCTET}){3}$`);

export function literalFindings(text: string): AddressFinding[] {
  const v4 = IPV4.exec(text)?.[0];
  if (v4 === text) return ["rfc5321_addressliteral"];
  if (!/^ipv6:/i.test(text)) return ["rfc5322_domainliteral"];
  // Four octets stand for two groups.
  const address = (v4 ? `${text.slice(0, -v4.length)}:0:0` : text).slice(5);
  return [...groupFindings(address), formFinding(address)];
}

function groupFindings(address: string): AddressFinding[] {
  const groups = address.split(":").length;
  const gap = address.indexOf("::");
  if (gap < 0) return groups === 8 ? [] : ["rfc5322_ipv6_grpcount"];
  if (gap !== address.lastIndexOf("::")) return ["rfc5322_ipv6_2x2xcolon"];
  const most = gap === 0 || gap === address.length - 2 ? 9 : 8;
  if (groups > most) return ["rfc5322_ipv6_maxgrps"];
  return groups === most ? ["rfc5321_ipv6deprecated"] : [];
}

function formFinding(address: string): AddressFinding {
  if (/^:(?!:)/.test(address)) return "rfc5322_ipv6_colonstrt";
  if (/(?<!:):$/.test(address)) return "rfc5322_ipv6_colonend";
  const isRight = address.split(":").every((group) => /^[0-9A-Fa-f]{0,4}$/.test(group));
  return isRight ? "rfc5321_addressliteral" : "rfc5322_ipv6_badchar";
}
