/** What every runtime has to answer: asked as a buyer does, with the official client, paid before each answer. */
import assert from "node:assert/strict";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const UNIT = "/api/convert/unit?value=1&from=kg&to=lb";
const buyer = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(generatePrivateKey())));

const code = (fields) => ({
  method: "POST",
  body: JSON.stringify({ data: { type: "text", text: "hello" }, ...fields }),
  headers: { "content-type": "application/json" },
});
const json = async (response) => (await response.json()).data.items[0];
const text = (response) => response.text();
const start = (length) => async (response) => Buffer.from(await response.arrayBuffer()).toString("latin1", 0, length);

/** Each sold call: what is asked, what is read of the answer, and what that has to be. */
const SOLD = {
  unit: [UNIT, {}, json, ({ result }) => assert.equal(result, 2.2046226218487757)],
  "QR as SVG": [
    "/api/barcode/generate",
    code({ output: "svg" }),
    text,
    (svg) => assert.match(svg, /<svg[\s\S]*<\/svg>/),
  ],
  "QR as PNG": ["/api/barcode/generate", code({ output: "png" }), start(4), (head) => assert.equal(head, "\x89PNG")],
  Aztec: ["/api/barcode/generate", code({ output: "svg", format: "aztec" }), text, (svg) => assert.match(svg, /<svg/)],
  countdown: [
    "/api/countdown/gif?endDate=2030-01-01T00:00:00Z&seconds=1&width=200&height=80",
    {},
    start(6),
    (head) => assert.equal(head, "GIF89a"),
  ],
  holidays: [
    "/api/calendar/business-days?country=DE&start=2026-12-23&addDays=3",
    {},
    json,
    ({ resultDate }) => assert.equal(resultDate, "2026-12-29"),
  ],
  pinyin: ["/api/chinese/pinyin?text=%E4%BD%A0%E5%A5%BD", {}, json, ({ pinyin }) => assert.equal(pinyin, "nǐ hǎo")],
};

/**
 * Throws for the first thing that is wrong. `send` is a fetch; `missing` names, for each sold call that cannot work there, the
 * package that its 502 has to name.
 */
export async function check(send, { origin, missing = {}, only = Object.keys(SOLD), count }) {
  const quote = await send(new Request(origin + UNIT));
  assert.equal(quote.status, 402);
  assert.equal((await quote.json()).resource, origin + UNIT);
  const required = JSON.parse(Buffer.from(quote.headers.get("payment-required"), "base64").toString());
  assert.equal(required.resource.url, origin + UNIT);

  const trial = await send(new Request(origin + UNIT, { headers: { "x-svc-trial": "1" } }));
  assert.equal(trial.status, 200, await trial.clone().text());
  assert.equal((await trial.json()).meta.caller, "trial");

  const pay = wrapFetchWithPayment((input, init) => send(new Request(input, init)), buyer);
  for (const name of only) {
    const [path, init, read, judge] = SOLD[name];
    const response = await pay(new Request(origin + path, init));
    if (missing[name]) {
      assert.equal(response.status, 502, `${name}: ${response.status}`);
      const { code: refused, detail } = await response.json();
      assert.equal(refused, "PROVIDER_NOT_CONFIGURED", name);
      assert.match(detail, new RegExp(missing[name]), name);
    } else {
      assert.equal(response.status, 200, `${name}: ${await response.clone().text()}`);
      assert.ok(response.headers.get("payment-response"), `${name}: no receipt`);
      judge(await read(response));
    }
  }

  const directory = await (await send(new Request(`${origin}/api/directory`))).json();
  if (count) assert.equal(directory.total, count);
  const openapi = await send(new Request(`${origin}/api/openapi.json`));
  assert.equal((await openapi.json()).openapi.slice(0, 3), "3.1");
  const found = await (await send(new Request(`${origin}/api/search/endpoints?q=convert+kilograms`))).json();
  assert.equal(found.results[0].id, "convert.unit");
  return { directory };
}
