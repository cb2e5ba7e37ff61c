/** Broken robots.txt, SPF zones, records of mail domains, pages with selectors, and feeds. */

const PIECES = [
  ...["*", "$", ":", "/", "\\", "%", "%{", "}", "%{l2r-}", "<", ">", "<!--", "-->", "<![CDATA[", "]]>", "&", "&#x41;"],
  ...[
    "&nbsp;",
    '"',
    "'",
    "=",
    ";",
    "\n",
    "\r",
    " ",
    "\0",
    "é",
    "\u{1f600}",
    "\ud800",
    "a".repeat(300),
    "include:",
    "redirect=",
  ],
  ...[
    "<script>",
    "</script>",
    "<b",
    "style=",
    "url(",
    ":not(",
    ":has(",
    "[",
    "]",
    "(",
    ")",
    "~",
    "+",
    ",",
    "||",
    "xmlns:a=",
  ],
];

const ROBOTS =
  "User-agent: *\nUser-agent: Bot\nDisallow: /a*b*c$\nAllow: /index.html\nCrawl-delay: 2\nSitemap: https://e.example/\n";
const SPF = [
  ...[
    "v=spf1 a mx ptr include:b.example -all",
    "v=spf1 exists:%{ir}.%{v}._spf.%{d2} ?all",
    "v=spf1 redirect=b.example exp=e.example",
  ],
  ...[
    "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ~all",
    "v=DMARC1; p=reject; rua=mailto:a@b.example",
    "v=DKIM1; k=rsa; p=MIIB",
  ],
  ...[
    "v=STSv1; id=1",
    "v=TLSRPTv1; rua=mailto:a@b.example",
    "v=BIMI1; l=https://e.example/a.svg",
    "%{s} %{c} %{t} %{p}",
  ],
];
const NAMES = [
  "a.example",
  "b.example",
  "e.example",
  "_dmarc.a.example",
  "s._domainkey.a.example",
  "_mta-sts.a.example",
];
const PAGE =
  '<html><head><base href="/x/"></head><body><div class="a b"><p id=c>x<a href="?q">y</a><table><tr><td rowspan=2>1<td>2<tr><td>3</table></div></body></html>';
const SELECTORS = ["div > p a", "table td:nth-child(2n + 1)", ":is(p, a):not(.b)", "p:has(> a)", "a[href^='?' i]", "*"];
const FEEDS = [
  '<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel><title>t &amp; u</title><item><guid>1</guid><pubDate>Mon, 06 Apr 2026 09:00:00 GMT</pubDate><c:encoded><![CDATA[<p style="color: red" onclick=x>y<img src=z></p>]]></c:encoded></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.example/"><title type="html">&lt;b&gt;x</title><entry><id>a</id><link href="y"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">z</div></content><updated>2026-04-06T09:00:00Z</updated></entry></feed>',
  '{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":1,"content_html":"<b>x</b>","date_published":"2026-04-06"}]}',
];

const broken = ({ damage }, text) => damage(text, PIECES);

function zone(random) {
  const { pick, below } = random;
  const record = () =>
    pick([
      () => ({ type: "TXT", value: broken(random, pick(SPF)) }),
      () => ({ type: "A", value: broken(random, "192.0.2.1") }),
      () => ({ type: "MX", value: [below(99), broken(random, "b.example")] }),
      () => ({ type: "CNAME", value: pick(NAMES) }),
      () => ({ type: "TIMEOUT" }),
    ])();
  return Object.fromEntries(NAMES.map((name) => [name, Array.from({ length: below(4) }, record)]));
}

export const parsers = {
  "url.robots": (random) => ({
    robots: broken(random, broken(random, ROBOTS)),
    url: `https://e.example/${"ab".repeat(random.below(20))}?c`,
    userAgent: broken(random, "Bot"),
  }),
  "email.spf": (random) => ({
    ip: random.pick(["192.0.2.1", "2001:db8::1"]),
    mailFrom: broken(random, "x-y@a.example"),
    helo: "h.example",
    zone: zone(random),
  }),
  "domain.email-security": (random) => ({ domain: "a.example", selectors: ["s"], zone: zone(random) }),
  "html.extract": (random) => ({
    html: broken(random, broken(random, PAGE)),
    tables: true,
    fields: {
      f: broken(random, random.pick(SELECTORS)),
      g: { selector: "a", attribute: "href", many: true },
    },
  }),
  "url.feed": (random) => ({ text: broken(random, broken(random, random.pick(FEEDS))) }),
  "tld.info": (random) => ({
    domain: broken(random, random.pick(["www.example.co.uk", "食狮.公司.cn", "xn--fiqs8s"])),
  }),
};
