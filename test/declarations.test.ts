/** What an editor knows of the built package: it reads the declarations, and never the schemas. */

import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

const FILE = pathFromRoot("test/written-by-a-user.ts");
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
};

/** Files that it has read stay read when it opens another one: most of them are the declarations of packages. */
const read = ts.createDocumentRegistry();

/** An editor with one file open. */
function editor(text: string) {
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [FILE],
    getScriptVersion: (name) => (name === FILE ? text : "1"),
    getScriptSnapshot: (name) =>
      name === FILE ? ts.ScriptSnapshot.fromString(text) : ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ""),
    getCurrentDirectory: () => pathFromRoot("."),
    getCompilationSettings: () => OPTIONS,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === FILE || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host, read);
  return {
    errors: () =>
      [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)].map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, "\n"),
      ),
    /** What it shows of the last such word. */
    hover(word: string) {
      const info = service.getQuickInfoAtPosition(FILE, text.lastIndexOf(word));
      return ts.displayPartsToString(info?.documentation);
    },
  };
}

it("the README's first snippet compiles under strict", () => {
  const [, snippet = ""] = /```js\n(.*?)```/s.exec(readFileSync(pathFromRoot("README.md"), "utf8")) ?? [];
  expect(snippet).toContain("createHandler");
  expect(editor(snippet).errors()).toEqual([]);
});

it("a capability, its fields, its result and options are told where they are written", () => {
  const { errors, hover } = editor(`
    import { createHandler } from "coinslot";
    import { convertUnit } from "coinslot/capabilities/convert";
    import { createClient } from "coinslot/client";
    const { items } = await convertUnit({ value: 1, from: "kg", to: "lb" });
    console.log(items[0]?.result);
    createHandler({ capabilities: [convertUnit], payment: false, maxBodyBytes: 1 });
    createClient({ baseUrl: "https://a.example", maxPerCallUsd: "1" });
  `);
  expect(errors()).toEqual([]);
  expect(hover("convertUnit({")).toMatch(/^Convert a value between units .*Price: 0\.001 USD a call\./s);
  expect(hover("from: ")).toContain("The unit it is in");
  expect(hover("result)")).toContain("The nearest number");
  expect(hover("maxBodyBytes")).not.toBe("");
  expect(hover("maxPerCallUsd")).not.toBe("");
});

it("says at the start which address is not set", async () => {
  const { createHandler } = await import("../src/handler/handler.js");
  const { convertUnit } = await import("../src/capabilities/convert/unit.js");
  const payment = { treasury: { "eip155:84532": undefined }, facilitator: { url: "https://f.test" } };
  expect(() => createHandler({ capabilities: [convertUnit], payment })).toThrow(
    /payment\.treasury\["eip155:84532"\] is not set: .*environment variable/,
  );
});
