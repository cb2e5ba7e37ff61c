/** The guards that `src` marks: see `marks.mjs` and `removals.mjs`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMarks } from "./marks.mjs";
import { withoutGuard } from "./removals.mjs";
import { testsOf } from "./tests.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

function filesWithMarks() {
  const args = ["grep", "--files-with-matches", "--untracked", "// guard: ", "--", "src/**.ts"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
}

/**
 * Every guard: `removed` makes the source of its file without it, and `testPaths` finds the tests that fail then. Both throw
 * where its mark says what is not so.
 */
export const GUARDS = filesWithMarks().flatMap((file) => {
  const { bare, marks } = readMarks(readFileSync(join(root, file), "utf8"));
  return marks.map((mark) => ({
    name: mark.name,
    file,
    simulator: mark.simulator,
    bare,
    removed: () => withoutGuard(bare, mark),
    testPaths: () => testsOf(mark.tests),
  }));
});
