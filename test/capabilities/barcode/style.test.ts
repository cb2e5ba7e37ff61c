import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectSafeSvg, HELLO, type Input, pixelsOf, refusal, scan, svgOf } from "./_readers.js";

type Style = NonNullable<Input["style"]>;
type Gradient = Exclude<Style["foreground"], string | undefined>;

const LINEAR: Gradient = {
  type: "linear",
  rotation: 30,
  stops: [
    { offset: 1, color: "hsl(160, 100%, 25%)" },
    { offset: 0, color: "#6c5ce7" },
  ],
};
const RADIAL: Gradient = {
  type: "radial",
  stops: [
    { offset: 0, color: "darkred" },
    { offset: 1, color: "rgb(9 60 120 / 90%)" },
  ],
};

const STYLES: [string, Style][] = [
  ["square", { modules: "square" }],
  ["rounded", { modules: "rounded" }],
  ["dots", { modules: "dots" }],
  ["coloured", { foreground: "navy", background: "#ffeaa7" }],
  ["linear gradient", { foreground: LINEAR }],
  ["linear gradient, rounded", { foreground: LINEAR, modules: "rounded" }],
  ["radial gradient, dots", { foreground: RADIAL, modules: "dots" }],
  ["transparent", { background: "transparent", foreground: "#0008" }],
];

describe("styles", () => {
  it.each(STYLES)("IN-14 %s is read back, at several sizes", async (_, style) => {
    const data = { type: "url", url: "https://example.com/Grüße?id=1234567890" } as const;
    for (const size of [300, 420]) expect(await scan({ data, style, size })).toBe(data.url);
  });

  it.each(STYLES)("IN-12 %s is safe SVG", async (_, style) => {
    expectSafeSvg(await svgOf({ data: { type: "text", text: "</svg><script>alert(1)</script>" }, style }));
  });

  it.each(["aztec", "datamatrix", "pdf417"] as const)("%s is drawn square, in any colours", async (format) => {
    const style = { modules: "dots", foreground: LINEAR } as const;
    expect(await svgOf({ data: HELLO, format, style })).toBe(
      await svgOf({ data: HELLO, format, style: { ...style, modules: "square" } }),
    );
    expect(await scan({ data: HELLO, format, style, size: 700 })).toBe("hello");
  });

  it("keeps a QR code's finder patterns square", async () => {
    const { data, width } = await pixelsOf({ data: HELLO, size: 290, style: { modules: "dots" } });
    const corner = (4 * 10 + 1) * width + 4 * 10 + 1;
    expect([...data.slice(corner * 4, corner * 4 + 3)]).toEqual([0, 0, 0]);
  });

  it("leaves a transparent background out and keeps opacity apart from the colour", async () => {
    const svg = await svgOf({ data: HELLO, style: { background: "#fff0", foreground: "rgba(10, 20, 30, 50%)" } });
    expect(svg).not.toContain("fill=");
    expect(svg).toContain('stroke="#0a141e" stroke-opacity="0.5"');
  });

  it.each([
    [0, ["4", "14.5", "25", "14.5"]],
    [90, ["14.5", "4", "14.5", "25"]],
    [180, ["25", "14.5", "4", "14.5"]],
    [45, ["4", "4", "25", "25"]],
    [-315, ["4", "4", "25", "25"]],
  ])("runs a gradient at %d degrees over the whole code", async (rotation, [x1, y1, x2, y2]) => {
    const svg = await svgOf({ data: HELLO, style: { foreground: { ...LINEAR, rotation } } });
    expect(svg).toContain(`gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"`);
  });

  it("sorts stops and names a gradient after its content", async () => {
    const svg = await svgOf({ data: HELLO, style: { foreground: LINEAR } });
    expect(svg).toContain('<stop offset="0" stop-color="#6c5ce7"/><stop offset="1" stop-color="#008055"/>');
    const idOf = (text: string) => /Gradient id="(\w+)"/.exec(text)?.[1];
    expect(svg).toContain(`stroke="url(#${idOf(svg)})"`);
    expect(idOf(svg)).not.toBe(idOf(await svgOf({ data: HELLO, style: { foreground: RADIAL } })));
  });

  it("paints both ends of a gradient", async () => {
    const stops = [
      { offset: 0, color: "#f00" },
      { offset: 1, color: "#00f" },
    ];
    const { data, width } = await pixelsOf({
      data: HELLO,
      size: 290,
      style: { foreground: { type: "linear", stops } },
    });
    const at = (x: number, y: number) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)];
    expect(at(42, 45)[0]).toBeGreaterThan(230);
    expect(at(247, 45)[2]).toBeGreaterThan(230);
  });
});

describe("colours", () => {
  it("IN-13 no text of a colour reaches the SVG", async () => {
    const piece = fc.constantFrom(
      "rgb(",
      "hsl(",
      "1",
      ",",
      ")",
      "#",
      "fff",
      '"',
      "<",
      "/>",
      "script",
      "url(",
      "red",
      " ",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(texts, texts, async (foreground, background) => {
        const svg = await svgOf({ data: HELLO, style: { foreground, background } }).catch(() => undefined);
        if (svg !== undefined) expectSafeSvg(svg);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown, string]>([
    ["another shape", { modules: "hearts" }, "style.modules"],
    ["no colour", { foreground: "notacolor" }, "style.foreground"],
    ["IN-5 a name of every object", { background: "constructor" }, "style.background"],
    ["a way out of an attribute", { foreground: 'red"/><script>alert(1)</script>' }, "style.foreground"],
    ["a reference", { background: "url(http://169.254.169.254/)" }, "style.background"],
    ["an invisible code", { foreground: "transparent" }, "style.foreground"],
    ["another gradient", { foreground: { ...LINEAR, type: "conic" } }, "style.foreground"],
    ["a gradient of one colour", { foreground: { ...LINEAR, stops: LINEAR.stops.slice(1) } }, "style.foreground"],
    [
      "a stop beyond the end",
      { foreground: { ...LINEAR, stops: [...LINEAR.stops, { offset: 1.5, color: "red" }] } },
      "style.foreground",
    ],
    [
      "a stop without a colour",
      { foreground: { ...LINEAR, stops: [...LINEAR.stops, { offset: 0.5 }] } },
      "style.foreground",
    ],
    [
      "eleven stops",
      { foreground: { ...LINEAR, stops: Array(11).fill({ offset: 0, color: "red" }) } },
      "style.foreground",
    ],
    ["a rotation with a unit", { foreground: { ...LINEAR, rotation: "45deg" } }, "style.foreground"],
    ["an unknown field", { shadow: true }, "style.shadow"],
  ])("refuses %s", async (_, style, path) => {
    const error = await refusal({ data: HELLO, style });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.issues?.[0]?.path).toMatch(new RegExp(`^${path}`));
  });
});
