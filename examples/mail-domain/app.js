// Can others send mail in our name? A domain is graded as it is, and as it would be with the records that we want to publish.
import { pathToFileURL } from "node:url";
import { domainEmailSecurity } from "coinslot/capabilities/domain";
import { emailSpf } from "coinslot/capabilities/email";

/** The grade of a mail domain, what keeps it from a better one, and which of our servers may send. */
export async function gradeMail(domain, { zone, selectors, servers }) {
  const [{ grade, reasons }] = (await domainEmailSecurity({ domain, zone, selectors })).items;
  const senders = {};
  for (const ip of servers)
    senders[ip] = (await emailSpf({ ip, mailFrom: `postmaster@${domain}`, zone })).items[0].result;
  return { grade, reasons, senders };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { generateKeyPairSync } = await import("node:crypto");
  const txt = (value) => [{ type: "TXT", value }];
  const asked = { selectors: ["s1"], servers: ["192.0.2.10", "198.51.100.7"] };

  // Without a zone, the host's resolver would be asked for what is published now.
  const published = {
    "shop.example": [...txt("v=spf1 include:_spf.mailer.example ?all"), { type: "MX", value: [10, "mx.shop.example"] }],
    "_spf.mailer.example": txt("v=spf1 ip4:192.0.2.0/24 -all"),
    "_dmarc.shop.example": txt("v=DMARC1; p=none"),
  };
  console.log("now:", await gradeMail("shop.example", { ...asked, zone: published }));

  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const planned = {
    ...published,
    "shop.example": [...txt("v=spf1 include:_spf.mailer.example -all"), { type: "MX", value: [10, "mx.shop.example"] }],
    "_dmarc.shop.example": txt("v=DMARC1; p=reject; rua=mailto:dmarc@shop.example"),
    // A TXT record is made of strings of at most 255 characters.
    "s1._domainkey.shop.example": txt([`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]),
    "_mta-sts.shop.example": txt("v=STSv1; id=20260101"),
    "_smtp._tls.shop.example": txt("v=TLSRPTv1; rua=mailto:tls@shop.example"),
  };
  console.log("planned:", await gradeMail("shop.example", { ...asked, zone: planned }));
}
