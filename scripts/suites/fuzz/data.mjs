/** Damaged documents of every format, converted to every other. */
const DOCUMENTS = {
  json: '{"a":[1,2.5,"x"],"b":{"c":null,"d":12345678901234567890}}',
  jsonl: '{"a":1}\n{"a":[2]}\n',
  yaml: "a: &x [1, no, ~]\nb: *x\nc: |\n  text\n  more\n? [k]\n: !!set {x}\n---\nd: {e: 'f', g: 0x1F}\n",
  toml: 'a = 1\nb = 2026-01-02T03:04:05Z\n[c.d]\ne = ["x", \'y\', """z"""]\n[[f]]\ng = { h = 1.5, i = inf }\n',
  xml: '<?xml version="1.0"?><a x="1&amp;2"><b>t</b><b/><![CDATA[c]]><!-- d --><e:f>&#65;</e:f></a>',
  csv: 'id,name,note\n1,"a, ""b""",x\n2,c\n',
  tsv: "id\tname\n1\ta\n",
};
const PIECES = [
  "&x ",
  "*x",
  "<<: ",
  "- ",
  "? ",
  ": ",
  "|\n",
  ">-\n",
  "%YAML 1.2\n",
  "---\n",
  "...\n",
  "\t",
  "[",
  "]",
  "{",
  "}",
  "=",
  "'''",
  '"""',
  '"',
  "'",
  "<",
  "</",
  "<!",
  "&#x",
  "]]>",
  "\r",
  "\0",
  "\uFEFF",
  ",",
  ";",
  "__proto__",
  "1e999",
];
const FORMATS = ["json", "jsonl", "yaml", "toml", "xml", "csv", "tsv", "xlsx"];

const convert = (from) => (random) => ({
  text: random.damage(DOCUMENTS[from], PIECES) || "a",
  from: random() < 0.3 ? "auto" : from,
  to: random.pick(FORMATS),
  types: random.pick(["infer", "text"]),
  header: random() < 0.8,
  indent: random.below(4),
});

export const parsers = Object.fromEntries(
  Object.keys(DOCUMENTS).map((from) => [`data.convert ${from}`, convert(from)]),
);
