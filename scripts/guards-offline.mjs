// Guards of the endpoints that read callers' documents: each keeps a hostile input from holding a thread, its memory or
// the process.
const CONVERT = ["test/capabilities/data/convert.test.ts"];
const QUERY = ["test/capabilities/json/query.test.ts"];
const REPAIR = ["test/capabilities/json/repair.test.ts"];
const SCHEMA = ["test/capabilities/json/validate.test.ts"];
const PATCH = ["test/capabilities/json/diff.test.ts"];
const DIFF = ["test/capabilities/text/diff.test.ts"];
const CHUNK = ["test/capabilities/text/chunk.test.ts"];
const REDACT = ["test/capabilities/text/redact.test.ts"];
const JWT = ["test/capabilities/dev/jwt.test.ts"];
const STATEMENT = ["test/capabilities/bank/statement.test.ts"];
const XML = ["test/engines/xml/parse.test.ts"];
const READING = ["test/engines/reading/reading.test.ts"];

export const OFFLINE_GUARDS = [
  {
    name: "offline: YAML has a largest number of marks and texts",
    file: "src/engines/data/yaml.ts",
    find: "if (++count > MAX_LEXEMES)",
    replace: "if (++count < 0)",
    tests: CONVERT,
  },
  {
    name: "offline: YAML has a largest number of documents",
    file: "src/engines/data/yaml.ts",
    find: "if (documents.push(document as Document) > MAX_DOCUMENTS)",
    replace: "if (documents.push(document as Document) < 0)",
    tests: CONVERT,
  },
  {
    name: "offline: YAML is nested so deeply",
    file: "src/engines/data/yaml.ts",
    find: "if (depth > 4 * MAX_DEPTH) throw",
    replace: "if (false) throw",
    tests: CONVERT,
  },
  {
    name: "offline: a table has a largest number of cells",
    file: "src/engines/data/tables.ts",
    find: "if (records.length * columns > MAX_NODES)",
    replace: "if (false)",
    tests: CONVERT,
  },
  {
    name: "offline: JSON text is nested so deeply",
    file: "src/engines/json/text.ts",
    find: "if (depth >= MAX_DEPTH) throw",
    replace: "if (false) throw",
    tests: QUERY,
  },
  {
    name: "offline: a query visits so many values",
    file: "src/engines/json/query.ts",
    find: "if (visited > MAX_VISITED) throw",
    replace: "if (visited > 1e12) throw",
    tests: QUERY,
  },
  {
    name: "offline: a query finds so many values",
    file: "src/engines/json/query.ts",
    find: "if (++count > MAX_FOUND) throw",
    replace: "if (++count < 0) throw",
    tests: QUERY,
  },
  {
    name: "offline: results within one another are as large as they are written",
    file: "src/engines/json/query.ts",
    find: "if (size > MAX_RESULT) throw",
    replace: "if (false) throw",
    tests: QUERY,
  },
  {
    name: "offline: JMESPath's scopes count as the rest does",
    file: "src/engines/json/jmespath.ts",
    find: "interpreter.withScope = (scope) => counted(withScope(scope), count, sizes);",
    replace: "",
    tests: QUERY,
  },
  {
    name: "offline: a broken text is read again so often",
    file: "src/engines/json/repairing/source.ts",
    find: "if (--this.#left < 0)",
    replace: "if (false)",
    tests: REPAIR,
  },
  {
    name: "offline: a schema takes so many steps",
    file: "src/engines/json/schema/evaluate.ts",
    find: "if (++this.#steps > MAX_STEPS) throw",
    replace: "if (++this.#steps < 0) throw",
    tests: SCHEMA,
  },
  {
    name: "offline: a schema refers to itself so often",
    file: "src/engines/json/schema/evaluate.ts",
    find: "if (++this.#levels > MAX_LEVELS) throw",
    replace: "if (++this.#levels < 0) throw",
    tests: SCHEMA,
  },
  {
    name: "offline: copies of a patch add so many values",
    file: "src/engines/json/patch.ts",
    find: "if (root.copied > MAX_COPIED) throw",
    replace: "if (false) throw",
    tests: PATCH,
  },
  {
    name: "offline: lists that are compared have a table of a largest size",
    file: "src/engines/json/diff.ts",
    find: "if (rows * columns <= MAX_TABLE)",
    replace: "if (true)",
    tests: PATCH,
  },
  {
    name: "offline: the hunks of a patch are compared with so many lines",
    file: "src/engines/text/diff.ts",
    find: "if (++compared > MAX_COMPARED)",
    replace: "if (++compared < 0)",
    tests: DIFF,
  },
  {
    name: "offline: a patch adds no lines beyond the end",
    file: "src/engines/text/diff.ts",
    find: "const text = fits(a, parsed) && diff",
    replace: "const text = diff",
    tests: DIFF,
  },
  {
    name: "offline: a text makes so many chunks",
    file: "src/engines/text/chunk.ts",
    find: "if (cuts.length <= MAX_CHUNKS && length <= MAX_SUM) return;",
    replace: "if (cuts.length > 0) return;",
    tests: CHUNK,
  },
  {
    name: "offline: a tax number has words or a check that hold",
    file: "src/engines/pii/tax-ids.ts",
    find: "if (!rule || !judgeNumber(rule, value, now).valid) continue;",
    replace: "if (!rule) continue;",
    tests: REDACT,
  },
  {
    name: "offline: a key of RSA has a largest size",
    file: "src/engines/tokens/keys.ts",
    find: 'if (kty === "RSA" && sizeInBits(n) > MAX_RSA_BITS)',
    replace: "if (false)",
    tests: JWT,
  },
  {
    name: "offline: a token asks for so many rounds",
    file: "src/engines/tokens/judge.ts",
    find: 'if (typeof p2c === "number" && p2c > MAX_ROUNDS)',
    replace: "if (false)",
    tests: JWT,
  },
  {
    name: "offline: a rule of recurrence goes through so many periods",
    file: "src/engines/time/recurrence.ts",
    find: "if (seen > MAX_PERIODS) throw",
    replace: "if (seen < 0) throw",
    tests: ["test/capabilities/calendar/ics.test.ts"],
  },
  {
    name: "offline: a licence is nested so deeply",
    file: "src/engines/licences/expression.ts",
    find: "if (level >= MAX_LEVELS) throw",
    replace: "if (false) throw",
    tests: ["test/capabilities/dev/license.test.ts"],
  },
  {
    name: "offline: a field of MT940 has a largest length",
    file: "src/engines/statements/mt940.ts",
    find: "if (open && open.value.length > MAX_FIELD) throw",
    replace: "if (false) throw",
    tests: STATEMENT,
  },
  {
    name: "offline: a statement has a largest number of entries",
    file: "src/engines/statements/statement.ts",
    find: "if (++count <= MAX_ENTRIES) return;",
    replace: "if (++count > 0) return;",
    tests: STATEMENT,
  },
  {
    name: "offline: OFX is nested so deeply",
    file: "src/engines/statements/ofx-tree.ts",
    find: "if (open.length > MAX_DEPTH) throw",
    replace: "if (false) throw",
    tests: STATEMENT,
  },
  {
    name: "offline: an invoice has a largest number of lines",
    file: "src/engines/invoices/validate.ts",
    find: "if (count > MAX_LINES) throw",
    replace: "if (false) throw",
    tests: ["test/capabilities/invoice/validate.test.ts"],
  },
  {
    name: "offline: tables of a page have a largest number of cells",
    file: "src/engines/pages/tables.ts",
    find: "Math.min(value, MAX_SPAN)",
    replace: "value",
    tests: ["test/capabilities/html/extract.test.ts"],
  },
  {
    name: "offline: a document of XML declares no types",
    file: "src/engines/xml/parse.ts",
    find: 'throw this.#wrong("document types are not read: leave out <!DOCTYPE and its entities");',
    replace: "",
    tests: XML,
  },
  {
    name: "offline: XML is nested so deeply",
    file: "src/engines/xml/parse.ts",
    find: "if (this.#open.length > MAX_XML_DEPTH) throw",
    replace: "if (false) throw",
    tests: XML,
  },
  {
    name: "offline: XML has a largest number of nodes",
    file: "src/engines/xml/parse.ts",
    find: "if (++this.#nodes > MAX_XML_NODES) throw",
    replace: "if (++this.#nodes < 0) throw",
    tests: XML,
  },
  {
    name: "offline: what may take long has threads of its own",
    file: "src/engines/reading/reading.ts",
    find: 'taskMs > TASK_MS ? "long reading" : "reading"',
    replace: '"reading"',
    tests: READING,
  },
  {
    name: "offline: a file of a bank has a largest number of statements",
    file: "src/engines/statements/read.ts",
    find: "if (drafts.length > MAX_STATEMENTS) throw",
    replace: "if (false) throw",
    tests: STATEMENT,
  },
  {
    name: "offline: an invoice that is read has a largest number of lines",
    file: "src/engines/invoices/read.ts",
    find: "if (invoice.lines.length > MAX_LINES) throw",
    replace: "if (false) throw",
    tests: ["test/capabilities/invoice/read.test.ts"],
  },
  {
    name: "offline: an invoice has so many elements beside its lines",
    file: "src/engines/invoices/validate.ts",
    find: "if (count.head > MAX_HEAD)",
    replace: "if (false)",
    tests: ["test/capabilities/invoice/validate.test.ts"],
  },
];
