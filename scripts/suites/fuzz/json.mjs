/** Damaged JSON, patches, queries and schemas. */
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "'",
  "\\",
  "\\u00",
  "null",
  "1e9",
  "-",
  "```json",
  "//",
  "/*",
  "\n",
  "\uD800",
  "__proto__",
];
const TEXTS = [
  '{"name":"Tea","tags":["hot",1.5e3,null,true],"size":{"ml":200}}',
  "{name: 'Tea', ok: True, // new\n tags: ['a' 'b',],}",
  'Here it is:\n```json\n{"a": [1, 2, {"b": "c"}]}\n```',
];
const QUERIES = [
  "$.a[?@.b > 1].c",
  "$..*",
  "$[?match(@.a, 'x.*y')]",
  "$['a'][0:3:2]",
  "a[?b=='c'] | [0]",
  "sort_by(a, &b)[*].{x: c}",
  "/a/0/~1",
];
const SCHEMAS = [
  '{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[{"type":"string","pattern":"^a+$"},{"minimum":3}]}}}',
  '{"$dynamicAnchor":"n","items":{"$dynamicRef":"#n"},"unevaluatedItems":false,"prefixItems":[{"const":1}]}',
  '{"$schema":"http://json-schema.org/draft-07/schema#","if":{"required":["a"]},"then":{"maxProperties":2},"else":false}',
];

function value(random, depth = 0) {
  const kind = random.below(depth > 4 ? 5 : 8);
  if (kind < 5)
    return [null, random() < 0.5, random.below(100) / 4, random.pick(["", "a", "aaab", "/"]), random.below(3)][kind];
  const inner = Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return kind === 5
    ? inner
    : Object.fromEntries(inner.map((one) => [random.pick(["a", "b", "c", "__proto__", "x/y"]), one]));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const query = (language, queries) => (random) => ({
  language,
  query: random.damage(random.pick(queries), [...PIECES, "..", "*", "?", "@", "$", "&", "|", "`"]),
  document: value(random),
});

function patch(random) {
  const op = () => ({
    op: random.pick(["add", "remove", "replace", "move", "copy", "test"]),
    path: random.pick(["", "/a", "/a/0", "/b/-", "/x~1y", "/__proto__"]),
    from: random.pick(["", "/a", "/b"]),
    value: value(random, 3),
  });
  const operations = Array.from({ length: 1 + random.below(4) }, op);
  return { operation: random.pick(["apply", "test"]), document: value(random), patch: operations };
}

function validate(random) {
  const schema = parsed(random.damage(random.pick(SCHEMAS), PIECES)) ?? parsed(random.pick(SCHEMAS));
  return { schema, instance: value(random), formats: "assert" };
}

export const parsers = {
  "json.repair": (random) => ({ text: random.damage(random.pick(TEXTS), PIECES) }),
  "json.query jsonpath": query("jsonpath", QUERIES),
  "json.query jmespath": query("jmespath", QUERIES),
  "json.query pointer": query("pointer", QUERIES),
  "json.diff": (random) => ({ document: value(random), other: value(random), arrayKey: "a" }),
  "json.diff patch": patch,
  "json.validate": validate,
};
