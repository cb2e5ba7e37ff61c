/**
 * Writes what schemas and facts say into the declarations of capabilities, where editors show it: summary, price and
 * example before each, and the description of each field of its input and result.
 */
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { z } from "zod";
import { capabilityFilesIn } from "./capability-files.mjs";

/** @param {readonly { id: string }[]} capabilities those of the built package */
export function documentDeclarations(capabilities) {
  const files = capabilityFilesIn("dist/capabilities", ".d.ts");
  for (const capability of capabilities) {
    const path = `dist/capabilities/${files.get(capability.id)}.d.ts`;
    writeFileSync(path, documented(readFileSync(path, "utf8"), capability));
  }
}

/** The declarations of one capability with its words in them. */
export function documented(text, capability) {
  const file = ts.createSourceFile("capability.d.ts", text, ts.ScriptTarget.Latest, true);
  const exported = capability.id.replace(/[.-](.)/g, (_, letter) => letter.toUpperCase());
  const insertions = [];
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    const [declaration] = statement.declarationList.declarations;
    if (declaration?.name.getText() !== exported) continue;
    insertions.push([statement.getStart(file), `${blockOf(capability)}\n`]);
    const [input, output] = declaration.type?.typeArguments ?? [];
    const ofInput = schemaOf(capability.input, "input");
    const ofOutput = schemaOf(capability.output, "output");
    if (input) annotate(input, ofInput, insertions);
    // A normalized result is named by its rows alone.
    const rows = capability.shape === "normalized" ? ofOutput.properties?.items?.items : ofOutput;
    if (output && rows) annotate(output, rows, insertions);
  }
  const sorted = insertions.sort(([a], [b]) => a - b);
  return sorted.reduceRight((result, [at, words]) => result.slice(0, at) + words + result.slice(at), text);
}

const schemaOf = (schema, io) => z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
const safe = (words) => words.replaceAll("*/", "* /").replace(/\s+/g, " ");

function blockOf({ summary, price, example }) {
  const cost = price.mode === "fixed" ? `${price.usd} USD` : `${price.minUsd} to ${price.maxUsd} USD`;
  const sample = JSON.stringify(example, null, 2).replaceAll("*/", "*\\/").split("\n");
  const lines = [safe(summary), "", `Price: ${cost} a call.`, "", "@example", ...sample];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** The members of the object types in a type, each by the description of its field. */
function annotate(node, schema, insertions) {
  if (!ts.isTypeLiteralNode(node)) {
    ts.forEachChild(node, (child) => annotate(child, schema, insertions));
    return;
  }
  for (const member of node.members.filter(ts.isPropertySignature)) {
    const [field, ...others] = fieldsOf(schema, member.name.text);
    if (!field) continue;
    // Of a union's members with one name, that name says different things.
    const words = others.some(({ description }) => description !== field.description) ? undefined : field.description;
    if (words) insertions.push([member.getStart(), `/** ${safe(words)} */ `]);
    if (member.type) annotate(member.type, { anyOf: [field, ...others] }, insertions);
  }
}

function fieldsOf(schema, name) {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [], items, additionalProperties } = schema;
  const inner = [...anyOf, ...oneOf, ...allOf, items, additionalProperties].filter((one) => typeof one === "object");
  const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
  return [...own, ...inner.flatMap((one) => fieldsOf(one, name))];
}
