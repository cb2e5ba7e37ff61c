/** All that the DNS tells of a domain's mail, in one look. */
import type { Dns, MxRecord } from "../../upstream/dns/dns.js";
import { type DkimKey, readDkim } from "./dkim.js";
import { type Dmarc, readDmarc } from "./dmarc.js";
import { type Grade, gradeMail, RULES_VERSION } from "./grade.js";
import { type SpfSurvey, surveySpf } from "./spf-survey.js";
import {
  type Bimi,
  type MtaSts,
  readBimi,
  readMtaSts,
  readMx,
  readTlsReporting,
  type TlsReporting,
} from "./transport.js";

export interface MailSurvey {
  domain: string;
  spf: SpfSurvey;
  dmarc: Dmarc;
  dkim: DkimKey[];
  mtaSts: MtaSts;
  tlsRpt: TlsReporting;
  bimi: Bimi;
  mx: MxRecord[];
  grade: Grade;
  reasons: string[];
  rulesVersion: string;
}

/** Selectors of large mail services, tried where none is named. */
const USUAL_SELECTORS = ["default", "dkim", "google", "k1", "mail", "s1", "s2", "selector1", "selector2"];

export async function surveyMail(domain: string, selectors: string[], dns: Dns): Promise<MailSurvey> {
  const tried = selectors.length > 0 ? selectors : USUAL_SELECTORS;
  const [spf, dmarc, keys, mtaSts, tlsRpt, bimi, mx] = await Promise.all([
    surveySpf(domain, dns),
    readDmarc(domain, dns),
    Promise.all(tried.map((selector) => readDkim(domain, selector, dns))),
    readMtaSts(domain, dns),
    readTlsReporting(domain, dns),
    readBimi(domain, dns),
    readMx(domain, dns),
  ]);
  const dkim = selectors.length > 0 ? keys : keys.filter(({ present }) => present);
  const takesMail = mx?.some(({ host }) => host !== "");
  const sendsNone = /^v=spf1 +-all *$/i.test(spf.survey.record ?? "");
  const judged = gradeMail({ spf, dmarc, dkim, mtaSts, tlsRpt, takesMail, sendsNone });
  return {
    domain,
    spf: spf.survey,
    ...{ dmarc, dkim, mtaSts, tlsRpt, bimi, mx: mx ?? [], ...judged },
    rulesVersion: RULES_VERSION,
  };
}
