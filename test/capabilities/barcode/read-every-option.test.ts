/** barcode.generate and barcode.read prove each other: every symbology, option and kind of payload, walked by the schema. */
import { describe, expect, it } from "vitest";
import { barcodeGenerate, barcodeRead } from "../../../src/capabilities/barcode/index.js";
import { inputSchema, type JsonSchema } from "../../../src/capability/json-schema.js";
import { payloadText } from "../../../src/engines/barcode/payload-text.js";
import { payloadSchema } from "../../../src/engines/barcode/payloads.js";
import { type Input, picture } from "./_readers.js";

const text = (words: string): Input["data"] => ({ type: "text", text: words });
const LOGO = picture(80, 60).toDataURL("image/png");
const uriOf = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const logo = (options: object) => ({ style: { logo: { source: LOGO, ...options } } });

async function read(input: Input) {
  const { body } = await barcodeGenerate({ output: "png", ...input });
  const png =
    input.output === "dataurl"
      ? (JSON.parse(String(body)) as { dataUrl: string }).dataUrl
      : Buffer.from(body).toString("base64");
  return (await barcodeRead({ image: png })).items;
}

/** Every symbology and every option of barcode.generate, one at a time. */
const ALL: [what: string, input: Partial<Input>][] = [
  ...(["qr", "aztec", "datamatrix", "pdf417"] as const).flatMap((format): [string, Partial<Input>][] => [
    [`${format}`, { format }],
    [`${format} with letters of many scripts`, { format, data: text("Grüße, 你好, Привет, مرحبا, 😀") }],
    [`${format} with long text`, { format, data: text("The quick brown fox jumps over the lazy dog. ".repeat(8)) }],
    [`${format} without a margin`, { format, margin: 0 }],
    [`${format} with the largest margin`, { format, margin: 16 }],
    [`${format} in a large size`, { format, size: 1024 }],
    [`${format} in colours`, { format, style: { foreground: "#7b1fa2", background: "#fff8e1" } }],
    [`${format} on nothing`, { format, style: { background: "transparent" } }],
    [
      `${format} with a gradient`,
      {
        format,
        style: {
          foreground: {
            type: "radial",
            stops: [
              { offset: 0, color: "#d84315" },
              { offset: 1, color: "#004d40" },
            ],
          },
        },
      },
    ],
  ]),
  ...(["qr", "aztec", "datamatrix"] as const).map((format): [string, Partial<Input>] => [
    `${format}, light on dark`,
    { format, style: { foreground: "#ffffff", background: "#000000" } },
  ]),
  ...(["L", "M", "Q", "H"] as const).map((errorCorrection): [string, Partial<Input>] => [
    `error correction ${errorCorrection}`,
    { errorCorrection },
  ]),
  ...(["square", "rounded", "dots"] as const).map((modules): [string, Partial<Input>] => [
    `${modules} modules`,
    { style: { modules } },
  ]),
  ["a data URL", { output: "dataurl" }],
  ["the largest size", { size: 4096 }],
  ["the smallest size", { size: 64, margin: 2, data: text("hello") }],
  [
    "a gradient along a line, of ten colours",
    {
      style: {
        foreground: {
          type: "linear",
          rotation: 45,
          stops: Array.from({ length: 10 }, (_, at) => ({ offset: at / 9, color: `rgb(${at * 12}, 20, 120)` })),
        },
      },
    },
  ],
  ["the smallest logo, on a colour", logo({ sizePct: 0.05, padding: 0, cornerRadius: 0, background: "#ffeaa7" })],
  ["the largest logo", { ...logo({ sizePct: 0.4, padding: 0, cornerRadius: 64 }), errorCorrection: "H" }],
  [
    "a logo with the most space around it",
    { ...logo({ sizePct: 0.1, padding: 32 }), size: 1024, errorCorrection: "H" },
  ],
  ["a JPEG as logo", logo({ source: uriOf("image/jpeg", picture().toBuffer("image/jpeg")) })],
  ["a WebP as logo", logo({ source: uriOf("image/webp", picture().toBuffer("image/webp")) })],
  ["a logo", { style: { logo: { source: LOGO, sizePct: 0.25, padding: 4, cornerRadius: 8 } } }],
  ["a small size", { size: 66, margin: 4, data: text("hello") }],
];

/** Every kind of payload, and what it is read as. */
const PAYLOADS: [Input["data"], object | null][] = [
  [
    { type: "url", url: "https://example.com/a?b=c" },
    { type: "url", url: "https://example.com/a?b=c" },
  ],
  [{ type: "email", to: "a@example.com", subject: "Hi", body: "Two words" }, null],
  [{ type: "sms", to: "+15550109999", body: "Hi" }, null],
  [{ type: "phone", number: "+1 555 010 9999" }, null],
  [
    { type: "wifi", ssid: 'Café; "9"', password: "a:b\\c,d", security: "WPA", hidden: true },
    { type: "wifi", ssid: 'Café; "9"', password: "a:b\\c,d", security: "WPA", hidden: true },
  ],
  [
    { type: "wifi", ssid: "Open" },
    { type: "wifi", ssid: "Open", password: null, security: "none", hidden: false },
  ],
  [
    { type: "vcard", name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace", org: "A; B", note: "x\ny" },
    { type: "vcard", name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace", org: "A; B", note: "x\ny" },
  ],
  [{ type: "geo", lat: 48.2, lon: 16.37 }, null],
  [{ type: "bitcoin", address: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", amount: 0.5 }, null],
  [{ type: "calendar", title: "Tea", start: "2026-11-23T16:00:00Z", end: "2026-11-23T17:00:00Z" }, null],
  [{ type: "json", value: { a: [1, "two"] } }, null],
];

/** Leaves of a schema with the values that have to be tried: each of an enum, and both bounds of a number. */
function choices(schema: JsonSchema, path = ""): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (parts.length > 0) return parts.flatMap((one) => choices(one as JsonSchema, path));
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, one]) => choices(one as JsonSchema, `${path}.${name}`));
  if (schema.items) return choices(schema.items as JsonSchema, path);
  const values = [
    ...(schema.enum ?? []),
    ...("const" in schema ? [schema.const] : []),
    schema.minimum,
    schema.maximum,
  ].filter((one) => one !== undefined && Math.abs(Number(one)) !== 9_007_199_254_740_991);
  return values.length > 0 ? values.map((one) => `${path} ${one}`) : [path];
}

/** The same of an input. */
function tried(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => tried(one, path));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, one]) => tried(one, `${path}.${name}`));
  return [path, `${path} ${value}`];
}

it("each option, and both ends of each, is among what is read back", () => {
  const { properties: { data, ...options } = {} } = inputSchema(barcodeGenerate);
  const seen = new Set(ALL.flatMap(([, input]) => tried({ output: "png", ...input })));
  const all = choices({ properties: options } as JsonSchema);
  expect(all).toEqual(expect.arrayContaining([".format pdf417", ".size 4096", ".style.logo.sizePct 0.4"]));
  // The PNG is drawn from the SVG, which itself is no picture that barcode.read takes.
  expect(all.filter((one) => !seen.has(one) && one !== ".output svg")).toEqual([]);
  const kinds = (data?.oneOf ?? data?.anyOf ?? []).map(({ properties }) => properties?.type?.const);
  expect(kinds).toHaveLength(11);
  expect(kinds.filter((kind) => kind !== "text" && !PAYLOADS.some(([one]) => one.type === kind))).toEqual([]);
});

describe("barcode.read reads back", () => {
  it.each(ALL)("%s", async (_what, input) => {
    const data = input.data ?? text("https://example.com/orders/4711");
    const items = await read({ ...input, data });
    expect(items.map((item) => item.text)).toEqual([(data as { text: string }).text]);
    expect(items[0]?.isInverted).toBe(input.style?.foreground === "#ffffff");
  });

  it.each(PAYLOADS)("a payload: %j", async (data, payload) => {
    const [item] = await read({ data });
    if (payload) expect(item?.payload).toMatchObject(payload);
    else expect(item?.payload).toBeNull();
    expect(item?.text).toBe(payloadText(payloadSchema().parse(data), "Coinslot"));
  });
});
