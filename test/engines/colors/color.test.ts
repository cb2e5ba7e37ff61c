import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatColor, parseColor } from "../../../src/engines/colors/color.js";

describe("parseColor", () => {
  it.each([
    ["#f80", "#ff8800"],
    ["#FF8800", "#ff8800"],
    ["#f808", "rgba(255, 136, 0, 0.5333)"],
    ["#ff880080", "rgba(255, 136, 0, 0.502)"],
    ["#ff8800ff", "#ff8800"],
    ["rgb(255, 136, 0)", "#ff8800"],
    ["rgb(255 136 0)", "#ff8800"],
    ["rgb(100%, 0%, 50%)", "#ff0080"],
    ["rgb(100% 136 0)", "#ff8800"],
    ["rgba(255,136,0,.5)", "rgba(255, 136, 0, 0.5)"],
    ["rgb(255 136 0 / 50%)", "rgba(255, 136, 0, 0.5)"],
    ["rgb(300, -20, 0)", "#ff0000"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(120deg 100% 25%)", "#008000"],
    ["hsl(-240, 100%, 25%)", "#008000"],
    ["hsl(0.5turn, 100%, 50%)", "#00ffff"],
    ["hsl(200grad 100% 50%)", "#00ffff"],
    ["hsl(3.14159265rad 100% 50%)", "#00ffff"],
    ["hsla(270 50 40 / 0.25)", "rgba(102, 51, 153, 0.25)"],
    ["RebeccaPurple", "#663399"],
    ["  navy ", "#000080"],
    ["yellowgreen", "#9acd32"],
    ["lightgoldenrodyellow", "#fafad2"],
    ["transparent", "rgba(0, 0, 0, 0)"],
  ])("reads %s as %s", (text, expected) => {
    const color = parseColor(text);
    expect(color && formatColor(color)).toBe(expected);
  });

  it.each([
    "",
    "notacolor",
    "constructor",
    "__proto__",
    "#ff",
    "#fffff",
    "#ggg",
    "##fff",
    "rgb(1, 2)",
    "rgb(1, 2, 3, 4, 5)",
    "rgb(1 2 3 0.5)",
    "rgb(1, 2, 3 / 0.5)",
    "rgb(1 2 3 / )",
    "rgb(1, 2, 3, )",
    "rgb(1, 2%, 3)",
    "rgb(1deg, 2, 3)",
    "rgb(1., 2, 3)",
    "rgb(1e2, 2, 3)",
    "rgb(1 2 3 / 4 / 5)",
    "rgb(NaN, 0, 0)",
    "rgb (1, 2, 3)",
    "rgb(1, 2, 3);",
    "hsl(120, 100, 25)",
    "hsl(120%, 100%, 25%)",
    "hsl(10deg 5deg 5%)",
    "hsl(0 0% 0% / 1deg)",
    "currentColor",
    "var(--x)",
    "url(http://169.254.169.254/)",
    'red"/><script>alert(1)</script>',
    "red;background:blue",
    "blac\u212A",
    "red\0",
    `${" ".repeat(200)}red`,
  ])("refuses %j", (text) => {
    expect(parseColor(text)).toBeUndefined();
  });

  it("IN-13 writes any colour back in a form that reads as the same colour", () => {
    const channel = fc.integer({ min: 0, max: 255 });
    const alpha = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000);
    fc.assert(
      fc.property(channel, channel, channel, alpha, (r, g, b, a) => {
        const color = { r, g, b, a };
        expect(parseColor(formatColor(color))).toEqual(color);
      }),
    );
  });

  it("IN-13 writes back nothing but hex and rgba(), whatever comes in", () => {
    const piece = fc.constantFrom(
      "rgb(",
      "hsla(",
      "#",
      "red",
      ",",
      " ",
      "/",
      ")",
      "<",
      '"',
      "&",
      "url(",
      "1",
      ".5",
      "%",
      "f",
    );
    const noise = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(noise, (text) => {
        const color = parseColor(text);
        if (color) expect(formatColor(color)).toMatch(/^(#[0-9a-f]{6}|rgba\(\d+, \d+, \d+, [\d.]+\))$/);
      }),
      { numRuns: 2000 },
    );
  });

  it("IN-11 refuses an endless text without reading it", () => {
    for (const unit of ["1", "1 ", ",", " ", "/", "("])
      expect(parseColor(`rgb(${unit.repeat(1_000_000)})`)).toBeUndefined();
  });
});
