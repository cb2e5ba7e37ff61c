/** XML in one pass, as workbooks are read. */
import { expect, it } from "vitest";
import { scanXml } from "../../../src/lib/xml/scan.js";

function read(xml: string) {
  let text = "";
  const opened: [string, object][] = [];
  scanXml(xml, {
    open: (name, attributes) => opened.push([name, { ...attributes() }]),
    close() {},
    text(more) {
      text += more;
    },
  });
  return { text, opened };
}

it.each(["toString", "valueOf", "__proto__", "constructor", "nbsp"])(
  "an entity that is not declared stays as it is written: &%s;",
  (name) => {
    expect(read(`<a>&${name}; &lt;&#65;&#x42;</a>`).text).toBe(`&${name}; <AB`);
    expect(read(`<a b="&${name};"/>`).opened).toEqual([["a", { b: `&${name};` }]]);
  },
);

it("attributes are read by their names without prefix, whatever stands between them", () => {
  expect(read(`<x:a r:id="1" b='2>"' c = "&amp;"\n\td=""e="5"/>`).opened).toEqual([
    ["a", { id: "1", b: '2>"', c: "&", d: "", e: "5" }],
  ]);
  expect(read(`<a ${"b".repeat(100_000)} c="1"/>`).opened).toEqual([["a", { c: "1" }]]);
});
