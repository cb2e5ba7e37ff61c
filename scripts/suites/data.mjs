/**
 * Runs suites of others about data formats and JSON through the built package, and prints right, wrong and refused of each.
 *
 *   node scripts/suites/data.mjs <folder> [folder of json-repair.json] [--only toml] [--show 10]
 *
 * The folder has checkouts by their names: JSON-Schema-Test-Suite, jsonpath-compliance-test-suite, jmespath.test,
 * json-patch-tests, yaml-test-suite, toml-test and csv-spectrum. What is not there is told and left out.
 * "Refused" counts refusals of what should have an answer; a refusal of what is broken is right.
 * The peers are what one would install instead, where they are installed. One case of csv-spectrum, location_coordinates,
 * cannot be right: the telephone number of its table is not that of its value.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { parse } from "yaml";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, show: { type: "string", default: "5" } },
});
const [folder, more = folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/data.mjs <folder> [folder of json-repair.json]");
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ dataConvert }, { jsonDiff, jsonQuery, jsonRepair, jsonValidate }] = await Promise.all(
  ["data", "json"].map(group),
);
const installed = (name) => import(name).catch(() => undefined);

const json = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const filesOf = (...path) => readdirSync(join(...path)).filter((name) => name.endsWith(".json"));
/** Equal as JSON: -0 is 0, and the order of members does not count. */
const same = (a, b) => isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)));

const table = [];
const findings = [];

/**
 * A case is `{ name, ask, wanted }`: `ask` calls the endpoint, `wanted(item)` tells whether its answer is right, and is
 * left out where only a refusal is. `peer` may be asked for its value or throw, `peerWanted` judges that.
 */
async function judge(suite, cases) {
  const row = { suite, cases: 0, right: 0, wrong: 0, refused: 0 };
  for (const one of cases) {
    const how = await verdict(one);
    row.cases += 1;
    row[how] += 1;
    if (one.peer) row["peer right"] = (row["peer right"] ?? 0) + Number(await peerIsRight(one));
    if (how !== "right") findings.push(`${suite}, ${how}: ${one.name}`);
  }
  table.push(row);
}

async function verdict({ ask, wanted }) {
  try {
    const { items } = await ask();
    return wanted?.(items[0]) ? "right" : "wrong";
  } catch (error) {
    if (error.status !== 400) return "wrong";
    return wanted ? "refused" : "right";
  }
}

async function peerIsRight({ peer, wanted, peerWanted = (value) => wanted({ value }) }) {
  try {
    const value = await peer();
    return wanted !== undefined && peerWanted(value) === true;
  } catch {
    return wanted === undefined;
  }
}

const DRAFTS = {
  draft4: "draft-04",
  draft6: "draft-06",
  draft7: "draft-07",
  "draft2019-09": "2019-09",
  "draft2020-12": "2020-12",
};
const AJV = { draft7: "ajv", "draft2019-09": "ajv/dist/2019.js", "draft2020-12": "ajv/dist/2020.js" };
const REMOTE = "http://localhost:1234/";
const MAX_SCHEMAS = 20;

/** Schemas that the suite serves on port 1234: those of the draft, and those of all drafts. */
function remotesOf(root, draft) {
  const names = readdirSync(join(root, "remotes"), { recursive: true }).filter((name) => name.endsWith(".json"));
  return names
    .filter((name) => name.startsWith(`${draft}/`) || !name.startsWith("draft"))
    .map((name) => ({ id: REMOTE + name, schema: json(root, "remotes", name) }));
}

/** The remotes that a schema names, and what those name. */
function namedBy(schema, remotes) {
  const named = new Set();
  const texts = [JSON.stringify(schema)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop())
    for (const remote of remotes) {
      const base = remote.id.split("/").pop().replace(".json", "");
      if (named.has(remote) || !text.includes(base)) continue;
      named.add(remote);
      texts.push(JSON.stringify(remote.schema));
    }
  return [...named].slice(0, MAX_SCHEMAS);
}

async function judgeSchemas(root, part, formats) {
  for (const [name, draft] of Object.entries(DRAFTS)) {
    const remotes = remotesOf(root, name);
    const tests = join(root, "tests", name, part);
    const library = part === "" && AJV[name] ? await installed(AJV[name]) : undefined;
    const cases = filesOf(tests).flatMap((file) =>
      json(tests, file).flatMap(({ description, schema, tests }) => {
        const schemas = JSON.stringify(schema).includes(REMOTE) ? namedBy(schema, remotes) : [];
        const compile = () => {
          const ajv = new library.default.default({ strict: false, validateFormats: false, logger: false });
          for (const { id, schema } of schemas) ajv.addSchema(schema, id);
          return ajv.compile(schema);
        };
        let compiled;
        return tests.map(({ data, valid, description: test }) => ({
          name: `${file}, ${description}, ${test}`,
          ask: () => jsonValidate({ schema, instance: data, draft, schemas, formats }),
          wanted: (item) => item.valid === valid,
          peer:
            library &&
            (() => {
              compiled ??= compile();
              return compiled(data);
            }),
          peerWanted: (verdict) => verdict === valid,
        }));
      }),
    );
    await judge(`JSON Schema ${draft}${part === "" ? " (peer: ajv)" : `, ${part}`}`, cases);
  }
}

async function judgePaths(root) {
  const p3 = await installed("json-p3");
  await judge(
    "JSONPath, RFC 9535 (peer: json-p3)",
    json(root, "cts.json").tests.map(({ name, selector: query, document = null, ...test }) => {
      const results = test.results ?? [test.result];
      const isOneOf = (value) => results.some((result) => same(result, value));
      return {
        name: `${name}: ${query}`,
        ask: () => jsonQuery({ query, document, limit: 10_000 }),
        wanted: test.invalid_selector
          ? undefined
          : ({ result, paths }) =>
              isOneOf(result) && (!test.result_paths || isDeepStrictEqual(paths, test.result_paths)),
        peer: p3 && (() => p3.query(query, document).values()),
        peerWanted: isOneOf,
      };
    }),
  );
}

async function judgeExpressions(root) {
  const library = await installed("@jmespath-community/jmespath");
  const cases = filesOf(root, "tests").flatMap((file) =>
    json(root, "tests", file).flatMap(({ given, cases }) =>
      cases
        .filter((one) => "result" in one || "error" in one)
        .map(({ expression: query, result, error }) => ({
          name: `${file}: ${query}`,
          ask: () => jsonQuery({ language: "jmespath", query, document: given, limit: 10_000 }),
          wanted: error ? undefined : (item) => same(item.result, result),
          peer: library && (() => library.search(given, query)),
          peerWanted: (value) => same(value, result),
        })),
    ),
  );
  await judge("JMESPath (peer: @jmespath-community/jmespath)", cases);
}

async function judgePatches(root) {
  const cases = ["tests.json", "spec_tests.json"].flatMap((file) =>
    json(root, file)
      .filter(({ disabled, patch }) => !disabled && patch)
      .map(({ comment, doc, patch, expected = doc, error }) => ({
        name: `${file}: ${comment ?? JSON.stringify(patch)}`,
        ask: () => jsonDiff({ operation: "apply", document: doc, patch }),
        wanted: error ? undefined : ({ result }) => same(result, expected),
      })),
  );
  await judge("JSON Patch", cases);
}

async function judgeRepairs(file) {
  const library = await installed("jsonrepair");
  const cases = json(file).map(({ input: text, expected }) => ({
    name: text.slice(0, 80),
    ask: () => jsonRepair({ text }),
    wanted: ({ value }) => same(value, expected),
    peer: library && (() => JSON.parse(library.jsonrepair(text))),
  }));
  await judge("json_repair's tests (peer: jsonrepair)", cases);
}

const toJson = (from, bytes, more) => dataConvert({ file: bytes.toString("base64"), from, to: "json", ...more });

/** The suite shows blanks and line ends as signs. */
const unmarked = (text) =>
  text
    .replaceAll("␣", " ")
    .replace(/—*»/g, "\t")
    .replace(/∎\n?|↵/g, "")
    .replaceAll("←", "\r")
    .replaceAll("⇔", "\uFEFF");

/** Values of JSON that follow one another, each ending at the end of a line. */
function jsonValues(text) {
  const values = [];
  let pending = "";
  for (const line of text.split("\n")) {
    pending += `${line}\n`;
    try {
      values.push(JSON.parse(pending));
      pending = "";
    } catch {}
  }
  return values;
}

/** Cases of a file: one that has no YAML of its own is about that of the one before. */
function yamlCases(root, file) {
  let last = {};
  return parse(readFileSync(join(root, "src", file), "utf8")).map((own) => {
    last = "yaml" in own ? own : { ...last, ...own };
    return { file, ...last };
  });
}

async function judgeYaml(root) {
  const library = await installed("js-yaml");
  const cases = readdirSync(join(root, "src")).flatMap((file) => yamlCases(root, file));
  const asked = (wantedOf) => (one) => {
    const text = unmarked(one.yaml);
    const documents = library && (() => library.loadAll(text));
    const peer = documents && (() => (documents().length > 1 ? documents() : (documents()[0] ?? null)));
    const ask = () => toJson("yaml", Buffer.from(text || " "));
    return { name: `${one.file}, ${one.name}`, ask, wanted: wantedOf(one), peer };
  };
  const hasValue = ({ fail, json }) => !fail && typeof json === "string";
  const valueIs = ({ json }) => {
    const values = jsonValues(json);
    const wanted = values.length === 1 ? values[0] : values.length > 1 ? values : null;
    return ({ value }) => same(value, wanted);
  };
  await judge("YAML with a value of JSON (peer: js-yaml)", cases.filter(hasValue).map(asked(valueIs)));
  await judge("YAML that is broken (peer: js-yaml)", cases.filter(({ fail }) => fail).map(asked(() => undefined)));
}

const NOT_FINITE = /^[+-]?(?:inf|nan)$/;
/** Date, time and zone in one spelling. */
const dateText = (text) =>
  String(text)
    .replace(/^(\d{4}-\d\d-\d\d)[ t]/, "$1T")
    .replace(/z$/i, "+00:00")
    .replace(/(\.\d*?)0+(?!\d)/, "$1")
    .replace(/\.(?!\d)/, "");

const TOML_TYPES = {
  string: (value, wanted) => value === wanted,
  bool: (value, wanted) => value === (wanted === "true"),
  integer: (value, wanted) => String(value) === String(BigInt(wanted)),
  float: (value, wanted) => (NOT_FINITE.test(wanted) ? value === wanted.replace("+", "") : value === Number(wanted)),
};

/** Whether a value is that of toml-test, where each is `{ type, value }`. */
function isToml(value, wanted) {
  if (Array.isArray(wanted))
    return Array.isArray(value) && value.length === wanted.length && value.every((one, i) => isToml(one, wanted[i]));
  if (typeof wanted.type === "string" && typeof wanted.value === "string") {
    const judged = TOML_TYPES[wanted.type] ?? ((date, other) => dateText(date) === dateText(other));
    return judged(value, wanted.value);
  }
  const names = Object.keys(wanted);
  return Object.keys(value).length === names.length && names.every((name) => isToml(value[name], wanted[name]));
}

async function judgeToml(root) {
  const library = await installed("smol-toml");
  const files = readFileSync(join(root, "tests", "files-toml-1.0.0"), "utf8").split("\n");
  const cases = files
    .filter((file) => file.endsWith(".toml"))
    .map((file) => {
      const bytes = readFileSync(join(root, "tests", file));
      const wanted = file.startsWith("valid/") ? json(root, "tests", file.replace(/toml$/, "json")) : undefined;
      return {
        name: file,
        ask: () => toJson("toml", bytes),
        wanted: wanted && (({ value }) => isToml(value, wanted)),
        peer: library && (() => library.parse(bytes.toString(), { integersAsBigInt: "asNeeded" })),
        // Its dates are objects: that it takes the document is what counts.
        peerWanted: () => true,
      };
    });
  const isValid = ({ wanted }) => wanted !== undefined;
  await judge("TOML 1.0 that is right (peer: smol-toml takes it)", cases.filter(isValid));
  await judge(
    "TOML 1.0 that is broken (peer: smol-toml)",
    cases.filter((one) => !isValid(one)),
  );
}

async function judgeCsv(root) {
  const library = await installed("csv-parse/sync");
  const cases = readdirSync(join(root, "csvs")).map((file) => {
    const bytes = readFileSync(join(root, "csvs", file));
    const wanted = json(root, "json", file.replace(/csv$/, "json"));
    return {
      name: file,
      ask: () => toJson("csv", bytes, { types: "text" }),
      wanted: ({ value }) => same(value, wanted),
      peer: library && (() => library.parse(bytes, { columns: true })),
    };
  });
  await judge("csv-spectrum (peer: csv-parse)", cases);
}

const SUITES = {
  "JSON-Schema-Test-Suite": async (root) => {
    await judgeSchemas(root, "", "annotate");
    await judgeSchemas(root, "optional", "annotate");
    await judgeSchemas(root, "optional/format", "assert");
  },
  "jsonpath-compliance-test-suite": judgePaths,
  "jmespath.test": judgeExpressions,
  "json-patch-tests": judgePatches,
  "json-repair.json": judgeRepairs,
  "yaml-test-suite": judgeYaml,
  "toml-test": judgeToml,
  "csv-spectrum": judgeCsv,
};
for (const [name, run] of Object.entries(SUITES)) {
  if (!name.toLowerCase().includes(options.only.toLowerCase())) continue;
  const root = [folder, more].map((place) => join(place, name)).find(existsSync);
  if (root) await run(root);
  else console.log(`${name} is not there`);
}
console.table(table);
const seen = new Map();
for (const finding of findings) {
  const [suite] = finding.split(": ");
  const count = (seen.get(suite) ?? 0) + 1;
  seen.set(suite, count);
  if (count <= Number(options.show)) console.log(finding.replace(/\s+/g, " ").slice(0, 200));
}
process.exit();
