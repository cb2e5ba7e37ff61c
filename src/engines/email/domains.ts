/** Facts about the domains of e-mail addresses, and about the names before them. */
import { lazy } from "../../lib/lazy.js";

/** Providers where anybody gets an address for nothing. */
const FREE =
  "gmail.com googlemail.com yahoo.com ymail.com rocketmail.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.fr yahoo.de yahoo.it " +
  "yahoo.es yahoo.ca yahoo.com.br yahoo.com.au yahoo.com.mx hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es " +
  "outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp live.com live.co.uk live.fr live.de live.nl msn.com " +
  "icloud.com me.com mac.com aol.com aim.com aol.de proton.me protonmail.com protonmail.ch pm.me gmx.com gmx.de gmx.net gmx.at " +
  "gmx.ch web.de freenet.de t-online.de mail.com email.com mail.ru inbox.ru list.ru bk.ru yandex.ru yandex.com ya.ru rambler.ru " +
  "qq.com 163.com 126.com yeah.net sina.com sohu.com foxmail.com naver.com daum.net hanmail.net zoho.com zohomail.com " +
  "fastmail.com fastmail.fm tutanota.com tuta.com tuta.io hushmail.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it " +
  "virgilio.it tiscali.it alice.it tin.it wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz azet.sk freemail.hu citromail.hu " +
  "abv.bg ukr.net i.ua bol.com.br uol.com.br terra.com.br rediffmail.com comcast.net verizon.net att.net sbcglobal.net cox.net " +
  "bellsouth.net btinternet.com sky.com talktalk.net virginmedia.com bluewin.ch telenet.be skynet.be ziggo.nl kpnmail.nl " +
  "duck.com hey.com mailbox.org posteo.de runbox.com lycos.com inbox.com excite.com telia.com online.no sapo.pt";

/** Names of functions, not of persons: RFC 2142, and those that mailing services count among them. */
const ROLES =
  "abuse accounting accounts admin administrator all billing board careers contact compliance customercare customerservice " +
  "devnull dns enquiries enquiry events everyone feedback finance ftp hello help helpdesk hostmaster hr info inquiries investors " +
  "invoices it jobs legal list mail mailer-daemon mailerdaemon marketing media news newsletter no-reply noc noreply office " +
  "orders payments postmaster press privacy recruiting registrar remove request returns root sales security service spam staff " +
  "subscribe support sysadmin team tech unsubscribe usenet uucp webmaster www";

/** Typing errors of endings, where no provider is near. */
const ENDINGS: Record<string, string> = {
  ...{ con: "com", cmo: "com", ocm: "com", comm: "com", coom: "com", vom: "com", cim: "com", xom: "com", "co,": "com" },
  ...{ nte: "net", ent: "net", nett: "net", ogr: "org", orgg: "org", prg: "org" },
};

/** The providers whose names people mistype. */
const OFTEN = FREE.split(" ").filter((domain) => domain.length >= 7);

export const isFree = (domain: string): boolean => FREE.split(" ").includes(domain.toLowerCase());
export const isRole = (name: string): boolean => ROLES.split(" ").includes(name.toLowerCase());

const disposable = lazy(async () => {
  const { DISPOSABLE, DISPOSABLE_DATE } = await import("./disposable-domains.js");
  const names = DISPOSABLE.split("\n").flatMap((row) => {
    const [ending = "", list = ""] = row.split(":");
    return list.split(" ").map((name) => `${name}.${ending}`);
  });
  return { names: new Set(names), date: DISPOSABLE_DATE };
});

/** Date of the list of domains for throw-away addresses; undefined where the list is left out of a bundle. */
export const listDate = async (): Promise<string | undefined> => (await disposable().catch(() => undefined))?.date;

/** Whether a domain, or one that it belongs to, gives throw-away addresses; null without the list. */
export async function isDisposable(domain: string): Promise<boolean | null> {
  const list = await disposable().catch(() => undefined);
  if (!list) return null;
  const labels = domain.toLowerCase().split(".");
  return labels.some((_, place) => place < labels.length - 1 && list.names.has(labels.slice(place).join(".")));
}

/** The domain that was meant; undefined if this one is well known, or resembles none. */
export function meantDomain(domain: string): string | undefined {
  const name = domain.toLowerCase();
  if (isFree(name) || name.length > 40) return undefined;
  const near = OFTEN.filter((known) => distance(name, known) <= (known.length >= 10 ? 2 : 1));
  const [nearest] = near.sort((a, b) => distance(name, a) - distance(name, b));
  if (nearest) return nearest;
  const [, before, ending] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
  const right = ending && Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
  return before && right ? `${before}.${right}` : undefined;
}

/** How many characters are missing, too many, wrong or exchanged with the next: at most 40 by 40 steps. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i || j));
  const cell = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + same);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) least = Math.min(least, cell(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = least;
    }
  return cell(a.length, b.length);
}
