import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { XmlFault } from "../../../src/lib/xml/reader.js";
import { xmlValues } from "../../../src/lib/xml/values.js";

const other = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  ignoreDeclaration: true,
  parseTagValue: false,
  parseAttributeValue: false,
});

test.each([
  "<a/>",
  '<a b="1"/>',
  "<a>\n  one  </a>",
  '<a b="1 &lt; 2">x &amp; y</a>',
  '<?xml version="1.0"?><feed xmlns="urn:f"><entry><id>1</id></entry><entry><id>2</id><link href="u"/></entry></feed>',
  "<a><b>1</b>text<c><![CDATA[<x>]]></c><b/><b>3</b></a>",
  "<f:a><f:b>x</f:b></f:a>",
])("%s has the values that another reader gives it", (text) => {
  expect(xmlValues(text)).toEqual(other.parse(text));
});

test("names of every object are names like others", () => {
  const { a } = xmlValues('<a constructor="1"><__proto__>2</__proto__><toString>3</toString></a>');
  expect(Object.entries(a as object)).toEqual([
    ["@constructor", "1"],
    ["__proto__", "2"],
    ["toString", "3"],
  ]);
});

test.each(["<a>", "<a></b>", "no", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"])("%s is refused", (text) => {
  expect(() => xmlValues(text)).toThrow(XmlFault);
});
