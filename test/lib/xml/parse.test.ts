import { describe, expect, test } from "vitest";
import { MAX_XML_DEPTH, MAX_XML_NODES, parseXml } from "../../../src/lib/xml/parse.js";

describe("a document of XML", () => {
  test("is its elements, attributes and texts in order", () => {
    const text = `<?xml version="1.0"?>\n<!-- a - b --><a:b x="1 &lt; 2" y='"&#x41;'>one<c/>t&amp;o<![CDATA[ <three> ]]></a:b>\n`;
    expect(parseXml(text)).toEqual({
      name: "a:b",
      attributes: [
        ["x", "1 < 2"],
        ["y", '"A'],
      ],
      children: ["one", { name: "c", attributes: [], children: [] }, "t&o <three> "],
    });
  });

  test("has lines that end in one character, and attributes without line breaks", () => {
    expect(parseXml('\uFEFF<a b="1\r\n2">x\r\ny\rz</a>')).toEqual({
      name: "a",
      attributes: [["b", "1 2"]],
      children: ["x\ny\nz"],
    });
  });

  test.each([
    ["<a>", "<a> is not closed"],
    ["<a></b>", "</b> stands where <a> is open (line 1, column 4)"],
    ["<a/><b/>", "second root"],
    ["<a/>text", "outside"],
    ["</a>", "closes nothing"],
    ['<a x="1" x="2"/>', "two attributes x"],
    ['<a x="1"y="2"/>', "a blank is missing"],
    ["<a x=1/>", "no quotation marks"],
    ["<a x/>", "no value"],
    ['<a x="<"/>', "< stands in the value"],
    ["<a>&nbsp;</a>", "& begins no character"],
    ["<a>&#0;</a>", "& begins no character"],
    ["<a>&#xD800;</a>", "& begins no character"],
    ["<a>\n & </a>", "(line 2, column 2)"],
    ["<a>]]></a>", "]]> stands in a text"],
    ["<a><!-- -- --></a>", "-- stands inside"],
    ["<a><!-- ", "does not end"],
    ["<1/>", "a name is missing"],
    ["<a>\u0001</a>", "a character that XML does not allow"],
    ["", "an element is missing"],
  ])("that is not well-formed is refused with the place: %s", (text, message) => {
    expect(() => parseXml(text)).toThrow(message);
  });

  test.each([
    ["an entity bomb", '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
    ["an external entity", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ["a document type in small letters", "<!doctype html><a/>"],
  ])("with %s is refused before it is read", (_what, text) => {
    expect(() => parseXml(text)).toThrow("document types are not read");
  });

  test("is bounded in depth and in nodes", () => {
    const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
    expect(parseXml(nested(MAX_XML_DEPTH)).name).toBe("a");
    expect(() => parseXml(nested(MAX_XML_DEPTH + 1))).toThrow(/nested deeper than 200/);
    expect(() => parseXml(nested(50_000))).toThrow(/nested deeper than 200/);
    expect(() => parseXml(`<a>${"<b/>".repeat(MAX_XML_NODES)}</a>`)).toThrow(/more than 200000/);
    expect(() => parseXml(`<a>${"x".repeat(3_000_000)}</a>`)).toThrow(/more than 3000000 characters/);
  });

  test("with names of Object.prototype is plain data", () => {
    expect(parseXml('<__proto__ constructor="1"/>')).toEqual({
      name: "__proto__",
      attributes: [["constructor", "1"]],
      children: [],
    });
  });
});
