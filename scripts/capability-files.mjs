/** Where capabilities are: `<group>/<name>`, or `<group>/<topic>/<name>` in a group that is divided. */
import { readdirSync } from "node:fs";

/**
 * The file of each capability under a folder of groups, relative to it and without its ending, by id: `group.name`.
 * Indexes are generated, and a path with an underscore is a piece that siblings share.
 *
 * @param {string | URL} folder
 * @param {".ts" | ".d.ts"} ending
 * @returns {Map<string, string>}
 */
export function capabilityFilesIn(folder, ending) {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length).replaceAll("\\", "/"))
    .filter((path) => path.includes("/") && !/\/(?:_|index$)/.test(path));
  const files = new Map(paths.map((path) => [path.replace(/\/(?:.*\/)?/, "."), path]));
  const twice = paths.find((path) => ![...files.values()].includes(path));
  if (twice) throw new Error(`${twice} has the id of another capability of its group`);
  return files;
}
