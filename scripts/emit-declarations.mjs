/**
 * Writes the declarations of what package.json exports, and of what those lead to: nobody can import the others, and they would
 * weigh as much. `npm run check` checks the types; to check them here as well would double the work.
 */
import { dirname, resolve } from "node:path";
import ts from "typescript";
import { exportedFiles } from "./entry-points.mjs";

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (error) => fail([error]) };
const config = ts.getParsedCommandLineOfConfigFile("tsconfig.json", { emitDeclarationOnly: true, noCheck: true }, host);
const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });

const reached = new Set(exportedFiles.map((file) => resolve(file)));
const diagnostics = [...config.errors, ...program.getSyntacticDiagnostics()];
// A set's loop also meets what is added meanwhile.
for (const file of reached) {
  const write = (path, text) => {
    ts.sys.writeFile(path, text);
    for (const [, name] of text.matchAll(/["'](\.{1,2}\/[^"']+?)\.js["']/g))
      reached.add(resolve(dirname(file), `${name}.ts`));
  };
  // A file of JSON or of declarations is nothing to write.
  const source = program.getSourceFile(file);
  if (source) diagnostics.push(...program.emit(source, write, undefined, true).diagnostics);
}
if (diagnostics.length > 0) fail(diagnostics);

function fail(errors) {
  console.error(ts.formatDiagnosticsWithColorAndContext(errors, ts.createCompilerHost({})));
  process.exit(1);
}
