import { expect, test } from "vitest";
import { prefersHtml } from "../../src/request/http/accept.js";
import { fields, HOSTILE, openHost } from "../support/docs-page.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const ask = (path: string, accept: string | undefined, init: RequestInit = {}, more = {}) =>
  openHost(more)(
    new Request(`https://api.example${path}`, { ...init, headers: { ...(accept ? { accept } : {}), ...init.headers } }),
  );
const PATH = "/api/convert/unit?value=1&from=kg&to=lb";

test.each<[string | null, boolean]>([
  [BROWSER, true],
  ["text/html", true],
  ["TEXT/HTML", true],
  ["text/html, */*; q=0.01", true],
  ["text/*;q=0.9, application/json;q=0.5", true],
  ["application/json;q=0.1, text/html;q=0.2", true],
  [null, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["application/json, text/plain, */*", false],
  ["text/html, application/json", false],
  ["text/html;q=0.5, application/json", false],
  ["text/html;q=0, */*", false],
  ["text/html;q=0", false],
  ["text/plain", false],
  ["application/json;q=0.9, */*", false],
  [`text/html${" ".repeat(100_000)}`, true],
])("%.60s prefers a page: %s", (accept, isPage) => {
  expect(prefersHtml(accept)).toBe(isPage);
});

test("a person who opens a paid address gets a page, with the same status and header", async () => {
  const [page, json] = [await ask(PATH, BROWSER), await ask(PATH, undefined)];
  for (const response of [page, json]) {
    expect(response.status).toBe(402);
    expect(response.headers.get("vary")).toContain("accept");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { accepts, resource } = JSON.parse(
      Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString(),
    );
    expect(accepts[0].amount).toBe("1000");
    expect(resource.url).toBe(`https://api.example${PATH}`);
  }
  expect(json.headers.get("content-type")).toBe("application/json");
  expect(json.headers.get("content-security-policy")).toBeNull();
  expect(((await json.json()) as { accepts: unknown[] }).accepts).toHaveLength(1);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'/);
  const text = await page.text();
  for (const words of [
    "Acme Fields",
    "402 Payment Required",
    "convert.unit",
    "0.001 USD",
    "20 calls an hour",
    "/api/docs/pay.js",
  ])
    expect(text).toContain(words);
  expect(text).toContain("curl -i &#39;https://api.example/api/convert/unit?value=1&amp;from=kg&amp;to=lb&#39;");
  expect(text).toContain('"input":{"value":"1","from":"kg","to":"lb"}');
});

test("HEAD has the same headers and no page, and a host without pages answers as before", async () => {
  const head = await ask(PATH, BROWSER, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    402,
    "text/html; charset=utf-8",
    "",
  ]);
  const off = await ask(PATH, BROWSER, {}, { docs: false });
  expect([off.status, off.headers.get("content-type"), off.headers.get("vary")]).toEqual([
    402,
    "application/json",
    null,
  ]);
});

test("a trial that is used up is told on the page", async () => {
  const handle = openHost({ trial: { perHour: 1 } });
  const request = () => new Request(`https://api.example${PATH}&trial=1`, { headers: { accept: BROWSER } });
  expect((await handle(request(), { clientAddress: "192.0.2.9" })).status).toBe(200);
  const again = await handle(request(), { clientAddress: "192.0.2.9" });
  expect(again.status).toBe(402);
  const text = await again.text();
  expect(text).toMatch(/<p class="issue" role="alert">[^<]*trial/i);
  expect(text).toContain('"input":{"value":"1","from":"kg","to":"lb"}');
});

test("what hosts and callers write is text on the page, whatever it says", async () => {
  const brand = { name: HOSTILE, slug: "acme", description: HOSTILE };
  const near = "/api/field/near?lat=1&lon=2";
  for (const path of [near, "/api/convert/unit"]) {
    const text = await (await ask(path, BROWSER, {}, { brand })).text();
    expect(text).not.toContain("<img src=x");
    expect(text).not.toMatch(/<script>document/);
  }
  const body = JSON.stringify({ text: HOSTILE });
  const post = await ask("/api/field/hostile", BROWSER, { method: "POST", body });
  expect(post.status).toBe(402);
  const text = await post.text();
  expect(text).not.toContain("<img src=x");
  expect(text).toContain("-H &#39;content-type: application/json&#39;");
  const query = await (await ask(`${PATH}&trial=</script><img src=x>&x='"><b>`, BROWSER)).text();
  expect(query).not.toMatch(/<b>&|<img src=x/);
  expect(fields.length).toBeGreaterThan(5);
});

test("behind a proxy the page's own files are below its prefix", async () => {
  const request = new Request(`https://api.example${PATH}`, { headers: { accept: BROWSER } });
  const text = await (await openHost()(request, { prefix: "/prod" })).text();
  expect(text).toContain('src="/prod/api/docs/pay.js"');
  expect(text).toContain("https://api.example/prod/api/convert/unit?");
});
