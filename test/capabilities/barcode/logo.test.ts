import { describe, expect, it } from "vitest";
import type { CallOptions } from "../../../src/capability/types.js";
import { expectSafeSvg, HELLO, type Input, picture, pixelsOf, refusal, scan, svgOf } from "./_readers.js";

type Logo = NonNullable<NonNullable<Input["style"]>["logo"]>;

const PNG = picture().toBuffer("image/png");
const uriOf = (bytes: Uint8Array, type = "image/png") => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const SOURCE = uriOf(PNG);
const URL_SOURCE = "https://images.example.com/logo.png";

const withLogo = (logo: Partial<Logo>, rest: Partial<Input> = {}): Input => ({
  data: HELLO,
  ...rest,
  style: { ...rest.style, logo: { source: SOURCE, ...logo } },
});

/** A network of one answer, on a public address. */
function network(answer: () => Response | Promise<Response>): CallOptions & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input) => {
      asked.push(input instanceof Request ? input.url : String(input));
      return answer();
    },
    outbound: { lookup: async () => [{ address: "93.184.215.14", family: 4 }] },
  };
}

describe("a logo", () => {
  const files: [string, Uint8Array][] = [
    ["png", PNG],
    ["jpeg", picture().toBuffer("image/jpeg")],
    ["webp", picture().toBuffer("image/webp")],
    ["gif", Buffer.from("R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64")],
  ];

  it.each(files)("of type %s is embedded by its bytes and drawn in the middle", async (type, bytes) => {
    const source = uriOf(bytes, "image/x-whatever");
    const svg = await svgOf(withLogo({ source }));
    expectSafeSvg(svg);
    expect(svg).toContain(`href="${uriOf(bytes, `image/${type}`)}"`);
    const { data, width } = await pixelsOf(withLogo({ source, sizePct: 0.4 }));
    const at = (x: number, y: number) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)];
    const [red = 0, green = 0, blue = 0] = at(256 - 60, 256);
    expect(red).toBeGreaterThan(200);
    expect(green + blue).toBeLessThan(300);
  });

  it.each([0.05, 0.2, 0.3, 0.4])("of size %d leaves a code that is read, however it is styled", async (sizePct) => {
    for (const text of ["hi", "https://example.com/".repeat(4)])
      for (const modules of ["square", "rounded", "dots"] as const)
        for (const logo of [{}, { padding: 32, cornerRadius: 64, background: "#ffeaa7" }]) {
          const data = { type: "text", text } as const;
          expect(await scan(withLogo({ sizePct, ...logo }, { data, style: { modules }, size: 420 }))).toBe(text);
        }
  });

  it("raises error correction unless the caller chose it", async () => {
    const data = { type: "text", text: "a".repeat(300) } as const;
    const sideOf = async (input: Input) => Number(/viewBox="0 0 (\d+)/.exec(await svgOf(input))?.[1]);
    const withoutLogo = (errorCorrection: "L" | "Q" | "H") => sideOf({ data, errorCorrection });
    expect(await sideOf(withLogo({}, { data }))).toBe(await withoutLogo("Q"));
    expect(await sideOf(withLogo({ sizePct: 0.25 }, { data }))).toBe(await withoutLogo("H"));
    expect(await sideOf(withLogo({ sizePct: 0.05 }, { data, errorCorrection: "L" }))).toBe(await withoutLogo("L"));
  });

  it("is as wide as asked, keeps its proportions and clears what is beneath", async () => {
    const source = uriOf(picture(200, 100).toBuffer("image/png"));
    const svg = await svgOf(withLogo({ source, sizePct: 0.2, padding: 0 }, { margin: 0 }));
    const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const [x, y, width, height] =
      /<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/.exec(svg)?.slice(1).map(Number) ?? [];
    expect(width).toBeCloseTo(side * 0.2, 2);
    expect(height).toBeCloseTo(side * 0.1, 2);
    expect(Number(x) + Number(width) / 2).toBeCloseTo(side / 2, 2);
    expect(Number(y) + Number(height) / 2).toBeCloseTo(side / 2, 2);
    const px = 512 / side;
    const { data } = await pixelsOf(withLogo({ source, sizePct: 0.2, padding: 0 }, { margin: 0 }));
    const above = (Math.round(256 - 0.08 * 512) * 512 + 256) * 4;
    expect([...data.slice(above, above + 3)]).toEqual([255, 255, 255]);
    expect(px).toBeGreaterThan(10);
  });

  it("stands on a plate of its own colour with round corners", async () => {
    const svg = await svgOf(withLogo({ background: "rgb(255 0 0 / 50%)", padding: 8, cornerRadius: 16 }));
    expect(svg).toMatch(/<rect [^>]*rx="[\d.]+" fill="#ff0000" fill-opacity="0.5"\/><clipPath/);
    expectSafeSvg(svg);
  });
});

describe("a logo by URL", () => {
  it("is fetched once, and embedded", async () => {
    const options = network(() => new Response(PNG, { headers: { "content-type": "image/png" } }));
    const svg = await svgOf(withLogo({ source: URL_SOURCE }), options);
    expect(options.asked).toEqual([URL_SOURCE]);
    expect(svg).toContain(`href="${SOURCE}"`);
    expect(svg).not.toContain("example.com");
  });

  it.each<[string, () => Response | Promise<Response>, number, string]>([
    ["an error", () => new Response("no", { status: 500 }), 502, "UPSTREAM_ERROR"],
    ["no answer", () => Promise.reject(new TypeError("fetch failed")), 502, "UPSTREAM_ERROR"],
    ["a page", () => new Response("<html>"), 400, "INVALID_INPUT"],
    [
      "SSRF-10 an SVG",
      () => new Response("<svg/>", { headers: { "content-type": "image/png" } }),
      400,
      "INVALID_INPUT",
    ],
    ["2 MB", () => new Response(new Uint8Array(2_000_000)), 400, "RESULT_TOO_LARGE"],
    ["a way inside", () => Response.redirect("https://169.254.169.254/", 302), 400, "URL_NOT_ALLOWED"],
    ["a way down to http", () => Response.redirect("http://example.com/", 302), 400, "URL_NOT_ALLOWED"],
  ])("that leads to %s is refused", async (_, answer, status, code) => {
    const error = await refusal(withLogo({ source: URL_SOURCE }), network(answer));
    expect(error).toMatchObject({ status, code });
  });

  it("IN-15 of a private host is refused before anything is fetched or quoted", async () => {
    for (const source of ["https://169.254.169.254/latest/meta-data/", "https://[::1]/", "https://localhost/x.png"]) {
      const options = network(() => new Response(PNG));
      expect(await refusal(withLogo({ source }), options)).toMatchObject({ status: 400, code: "URL_NOT_ALLOWED" });
      expect(options.asked).toEqual([]);
    }
  });
});

describe("refusals", () => {
  /** A PNG of one pixel that says it is 60000 x 60000. */
  const HUGE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAYAAACA0nVCAAAADElEQVR4nGNgoAwAAABAAAG3NHzv";

  it.each<[string, Record<string, unknown>, string]>([
    ["no source", { source: undefined }, "style.logo.source"],
    ["http", { source: "http://example.com/logo.png" }, "style.logo.source"],
    ["ftp", { source: "ftp://example.com/l.png" }, "style.logo.source"],
    ["a page as data URI", { source: "data:text/html,<script>alert(1)</script>" }, "style.logo.source"],
    ["a data URI without data", { source: "data:image/png;base64," }, "style.logo.source"],
    ["a data URI that is not base64", { source: "data:image/png;base64,<script>" }, "style.logo.source"],
    ["a data URI with a second attribute", { source: `${SOURCE}" onload="x` }, "style.logo.source"],
    ["SSRF-10 an SVG", { source: uriOf(Buffer.from("<svg/>"), "image/svg+xml") }, "style.logo.source"],
    ["SSRF-10 text by the name of PNG", { source: uriOf(Buffer.from("hello")) }, "style.logo.source"],
    ["more than 1 MB", { source: uriOf(Buffer.concat([PNG, Buffer.alloc(1_048_576)])) }, "style.logo.source"],
    ["too small a size", { sizePct: 0.04 }, "style.logo.sizePct"],
    ["too large a size", { sizePct: 0.41 }, "style.logo.sizePct"],
    ["too much padding", { padding: 33 }, "style.logo.padding"],
    ["too round corners", { cornerRadius: 65 }, "style.logo.cornerRadius"],
    ["no colour", { background: "expression(1)" }, "style.logo.background"],
  ])("%s", async (_, logo, path) => {
    const error = await refusal(withLogo(logo));
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.issues?.[0]?.path).toBe(path);
  });

  it.each(["aztec", "datamatrix", "pdf417"] as const)("a logo in %s", async (format) => {
    expect(await refusal(withLogo({}, { format }))).toMatchObject({ status: 400, issues: [{ path: "style.logo" }] });
  });

  it.each(["svg", "png", "dataurl"] as const)(
    "IN-15 a header of 60000 x 60000 pixels, as %s, without the memory",
    async (output) => {
      const before = process.memoryUsage().rss;
      expect(await refusal(withLogo({ source: HUGE }, { output }))).toMatchObject({
        status: 400,
        code: "INVALID_INPUT",
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    },
  );

  it("a PNG that does not decode, where a PNG is to be drawn with it", async () => {
    const source = uriOf(PNG.subarray(0, 40));
    expect(await refusal(withLogo({ source }, { output: "png" }))).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
    });
  });
});
