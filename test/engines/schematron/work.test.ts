import { parseXmlDocument } from "slimdom";
import { expect, test } from "vitest";
import { xpath } from "../../../src/engines/schematron/functions.js";
import { Validator } from "../../../src/engines/schematron/run.js";
import { readSchema } from "../../../src/engines/schematron/schema.js";

const MAX_WORK = 10_000;

const findingsOf = async (expression: string, count: number) => {
  const schema = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><ns prefix="x" uri="urn:x"/><pattern>
    <rule context="x:root"><assert id="A" flag="fatal" test="${expression}">no</assert></rule></pattern></schema>`;
  const validator = new Validator(
    readSchema(schema, () => ""),
    await xpath(),
  );
  const document = parseXmlDocument(`<root xmlns="urn:x">${'<a b="1"/>'.repeat(count)}</root>`);
  return validator.run(document, { maxWork: MAX_WORK });
};

/** Two hundred elements are compared with one another in one expression, so nothing is counted between. */
test.each([
  ["elements that are looked up", "every $a in x:a satisfies count(//x:a) = COUNT"],
  ["attributes that are looked up", "every $a in x:a satisfies count(//@b) = COUNT"],
  ["siblings that follow", "every $a in x:a satisfies count($a/following-sibling::x:a) ge 0"],
  ["siblings that stand before", "every $a in x:a satisfies count($a/preceding-sibling::x:a) ge 0"],
  ["children", "every $a in x:a satisfies count($a/../x:a) = COUNT"],
  ["descendants", "every $a in x:a satisfies count($a/..//x:a) = COUNT"],
])("a run ends when its rules have looked at too many %s", async (_what, expression) => {
  const of = (count: number) => findingsOf(expression.replace("COUNT", String(count)), count);
  expect(await of(20)).toEqual([]);
  await expect(of(200)).rejects.toMatchObject({
    code: "RESULT_TOO_LARGE",
    issues: [{ path: "", message: expect.stringContaining("compare with one another") }],
  });
});

test("a run ends when it has too many expressions to test", async () => {
  const anyOf = (count: number) => `${"x:b or ".repeat(count)}x:a`;
  expect(await findingsOf(anyOf(20), 1)).toEqual([]);
  await expect(findingsOf(anyOf(600), 1)).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" });
});
