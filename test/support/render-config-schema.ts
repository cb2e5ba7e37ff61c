/**
 * The JSON Schema of configuration files, from the types of the options and what stands above them: their files are read as
 * text, one after another, as their imports lead.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import type { FILE_OPTIONS } from "../../src/cli/config/host-file.js";
import { pathFromRoot } from "./render-indexes.js";

type Json = { [key: string]: unknown };

interface Scope {
  file: string;
  source: ts.SourceFile;
}

const TEXT: Json = { anyOf: [{ type: "string" }, { $ref: "#/definitions/elsewhere" }] };
const WALLET: Json = { $ref: "#/definitions/wallet" };

/** Types of programs, and what a file has in their place; undefined where it has nothing. */
const IN_FILES: Readonly<Record<string, Json | undefined>> = {
  EvmSigner: WALLET,
  EvmSender: WALLET,
  SolanaSigner: WALLET,
  ChannelSigner: WALLET,
  Facilitator: undefined,
  Logger: undefined,
  Cache: undefined,
  JsonWebKey: { type: "object" },
  SigningKey: { type: "object" },
};

/** Members that a file writes in its own way, by their path. */
const OWN: Readonly<Record<string, Json | undefined>> = {
  capabilities: {
    description:
      "Groups and ids of endpoints, such as `convert` or `barcode.generate`. Default: all, unless there is a gateway.",
    type: "array",
    minItems: 1,
    items: { type: "string" },
  },
  store: {
    description:
      "The database of payments: Postgres or Redis by its address. Default: DATABASE_URL or REDIS_URL, else memory.",
    type: "object",
    additionalProperties: false,
    properties: { postgres: TEXT, redis: TEXT, schema: TEXT, prefix: TEXT },
  },
  secrets: {
    description: "Keys of providers, beside those of the environment.",
    type: "object",
    additionalProperties: TEXT,
  },
  "payment.facilitator.headers": {
    description: "Headers of each request.",
    type: "object",
    additionalProperties: TEXT,
  },
  "wallets.db": {
    description: "`store` keeps the state of wallets in the database of `store.postgres`.",
    enum: ["store"],
  },
  "signing.key": { description: "A private Ed25519 JWK.", type: "object" },
};

/** What a file alone has. */
const FILE_ONLY: Record<keyof typeof FILE_OPTIONS, Json> = {
  capabilities: OWN.capabilities ?? {},
  store: OWN.store ?? {},
  listen: {
    description: "Where the service listens. Default: 127.0.0.1, PORT or 8402.",
    type: "object",
    additionalProperties: false,
    properties: {
      port: { type: "integer", minimum: 0, maximum: 65535 },
      host: TEXT,
      trustProxyHops: {
        description: "Proxies of your own that stand before it.",
        type: "integer",
        minimum: 0,
        maximum: 100,
      },
      drainMs: {
        description: "Milliseconds for running calls when it stops. Default 25,000.",
        type: "integer",
        minimum: 0,
      },
    },
  },
  gateway: { description: "The path of a gateway's file, whose routes are sold as well.", type: "string" },
  stopped: {
    description: "Endpoints that are stopped, with the sentence that callers read. Changes while the service runs.",
    type: "object",
    additionalProperties: { type: "string", minLength: 1, maxLength: 500 },
  },
};

const sources = new Map<string, Scope>();

function scopeOf(file: string): Scope {
  const known = sources.get(file);
  if (known) return known;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const scope = { file, source };
  sources.set(file, scope);
  return scope;
}

type Declared = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** Where a name is declared: in this file, or where it is imported from. */
function declared(name: string, { file, source }: Scope): { scope: Scope; node: Declared } | undefined {
  for (const node of source.statements) {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name)
      return { scope: { file, source }, node };
    const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
    if (!ts.isImportDeclaration(node) || !clause || !ts.isNamedImports(clause)) continue;
    const found = clause.elements.find((one) => one.name.text === name);
    if (!found || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const path = join(dirname(file), node.moduleSpecifier.text.replace(/\.js$/, ".ts"));
    return existsSync(path) ? declared((found.propertyName ?? found.name).text, scopeOf(path)) : undefined;
  }
  return undefined;
}

function descriptionOf(node: ts.Node): Json {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .flatMap((doc) => (ts.isJSDoc(doc) && doc.comment ? [ts.getTextOfJSDocComment(doc.comment) ?? ""] : []))
    .join(" ")
    .replace(/\s+/g, " ");
  return text === "" ? {} : { description: text };
}

/** The members of a type, by name; a member with nothing in a file is left out. */
function membersOf(node: ts.Node, scope: Scope, path: string): Record<string, Json> {
  if (ts.isInterfaceDeclaration(node)) {
    const inherited = (node.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((one) => membersOf(one, scope, path)),
    );
    return Object.assign({}, ...inherited, propertiesOf(node.members, scope, path));
  }
  if (ts.isTypeLiteralNode(node)) return propertiesOf(node.members, scope, path);
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type, scope, path);
  if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) return {};
  const name = (ts.isTypeReferenceNode(node) ? node.typeName : node.expression).getText();
  const [first, second] = node.typeArguments ?? [];
  if (first && ["Partial", "Readonly", "Required", "Omit", "Pick"].includes(name)) {
    const members = membersOf(first, scope, path);
    const keys = second?.getText() ?? "";
    const isIn = (member: string) => keys.includes(`"${member}"`);
    if (name === "Omit") return Object.fromEntries(Object.entries(members).filter(([member]) => !isIn(member)));
    if (name === "Pick") return Object.fromEntries(Object.entries(members).filter(([member]) => isIn(member)));
    return members;
  }
  const found = declared(name, scope);
  return found ? membersOf(found.node, found.scope, path) : {};
}

function propertiesOf(members: ts.NodeArray<ts.TypeElement>, scope: Scope, path: string): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const member of members) {
    if (!ts.isPropertySignature(member) || !member.type) continue;
    const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText();
    const at = path ? `${path}.${name}` : name;
    const schema = Object.hasOwn(OWN, at) ? OWN[at] : schemaOf(member.type, scope, at);
    if (schema) found[name] = { ...descriptionOf(member), ...schema };
  }
  return found;
}

/** Undefined for what no file can have, such as a function. */
function schemaOf(node: ts.TypeNode, scope: Scope, path: string): Json | undefined {
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return schemaOf(node.type, scope, path);
  if (node.kind === ts.SyntaxKind.StringKeyword || ts.isTemplateLiteralTypeNode(node)) return TEXT;
  if (node.kind === ts.SyntaxKind.NumberKeyword) return { type: "number" };
  if (node.kind === ts.SyntaxKind.BooleanKeyword) return { type: "boolean" };
  if (ts.isLiteralTypeNode(node)) return { const: literalOf(node.literal) };
  if (ts.isArrayTypeNode(node)) return listOf(schemaOf(node.elementType, scope, path));
  if (ts.isUnionTypeNode(node)) return oneOf(node.types.map((one) => schemaOf(one, scope, path)));
  if (ts.isTypeLiteralNode(node)) return objectOf(membersOf(node, scope, path));
  if (ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType)) {
    const members = membersOf(node.objectType, scope, path);
    return members[String(literalOf(node.indexType.literal))];
  }
  if (ts.isIndexedAccessTypeNode(node)) return wordsOf(node.objectType, scope);
  return ts.isTypeReferenceNode(node) ? referred(node, scope, path) : undefined;
}

/** The words of `(typeof WORDS)[number]`. */
function wordsOf(node: ts.TypeNode, { source }: Scope): Json | undefined {
  const query = ts.isParenthesizedTypeNode(node) ? node.type : node;
  if (!ts.isTypeQueryNode(query)) return undefined;
  const [, list] = new RegExp(`const ${query.exprName.getText()} = \\[([^\\]]*)\\]`).exec(source.text) ?? [];
  return list === undefined ? undefined : { enum: [...list.matchAll(/"([^"]+)"/g)].map(([, word]) => word) };
}

function referred(node: ts.TypeReferenceNode, scope: Scope, path: string): Json | undefined {
  const name = node.typeName.getText();
  if (Object.hasOwn(IN_FILES, name)) return IN_FILES[name];
  const [first, second] = node.typeArguments ?? [];
  if (name === "Record" && second) {
    const value = schemaOf(second, scope, path);
    return value && { type: "object", additionalProperties: value };
  }
  if (["Readonly", "NonNullable", "Required"].includes(name) && first) return schemaOf(first, scope, path);
  if (["ReadonlyArray", "Array"].includes(name) && first) return listOf(schemaOf(first, scope, path));
  if (["Partial", "Omit", "Pick"].includes(name)) return objectOf(membersOf(node, scope, path));
  const found = declared(name, scope);
  if (!found) return undefined;
  if (ts.isInterfaceDeclaration(found.node)) return objectOf(membersOf(found.node, found.scope, path));
  return schemaOf(found.node.type, found.scope, path);
}

function literalOf(node: ts.LiteralTypeNode["literal"]): unknown {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  return ts.isNumericLiteral(node) ? Number(node.text) : ts.isLiteralExpression(node) ? node.text : null;
}

const listOf = (items: Json | undefined): Json | undefined => items && { type: "array", items };

/** An object without a member is an object of a program. */
const objectOf = (properties: Record<string, Json>): Json | undefined =>
  Object.keys(properties).length === 0 ? undefined : { type: "object", additionalProperties: false, properties };

function oneOf(found: (Json | undefined)[]): Json | undefined {
  const kinds = found.filter((one) => one !== undefined);
  const texts = kinds.flatMap((one) => ("const" in one ? [one.const] : []));
  const others = kinds.filter((one) => !("const" in one));
  const unique = [...new Map(others.map((one) => [JSON.stringify(one), one])).values()];
  const all = [...(texts.length > 0 ? [{ enum: texts }] : []), ...unique];
  return all.length > 1 ? { anyOf: all } : all[0];
}

/** The schema, as `deploy/coinslot.schema.json` has it. */
export function configSchema(): string {
  const scope = scopeOf(pathFromRoot("src/host/options.ts"));
  const found = declared("HandlerOptions", scope);
  if (!found) throw new Error("src/host/options.ts has no HandlerOptions");
  const properties = { ...membersOf(found.node, found.scope, ""), ...FILE_ONLY };
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of coinslot serve",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
    definitions: {
      elsewhere: {
        description: "A text of the environment, or of a file beside this one.",
        type: "object",
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: { env: { type: "string" }, file: { type: "string" } },
      },
      wallet: {
        description:
          "A wallet by its private key: hexadecimal on EVM networks, base58 or a JSON list of bytes on Solana.",
        type: "object",
        required: ["privateKey"],
        additionalProperties: false,
        properties: { privateKey: TEXT },
      },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
