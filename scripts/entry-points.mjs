/** The files of src/ that are built: what package.json exports, its command, and what threads start from. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const { bin, exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const sources = readdirSync(fileURLToPath(new URL("src", root)), { recursive: true }).map(
  (file) => `src/${file.replaceAll("\\", "/")}`,
);

/** "./dist/capabilities/*\/index.js" is made of every "src/capabilities/<group>/index.ts". */
function sourcesOf(exported) {
  const [before, after] = exported.replace("./dist/", "src/").replace(/\.js$/, ".ts").split("*");
  return sources.filter((file) =>
    after === undefined ? file === before : file.startsWith(before) && file.endsWith(after),
  );
}

export const entryPoints = [...Object.values(exports), ...Object.values(bin)].flatMap((file) =>
  file.startsWith("./dist/") ? sourcesOf(file) : [],
);

// A thread starts from a file beside the module that starts it, so both keep their place.
const startsThread = (file) =>
  readFileSync(new URL(file, root), "utf8").includes('new Worker(new URL("./worker.js", import.meta.url)');
export const threads = sources.filter(
  (file) => file.endsWith("/worker.ts") || (file.endsWith(".ts") && startsThread(file)),
);
