import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

it("token/app.js lets a signed token in, and no unsigned one", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/token/app.js")]);
  expect(stdout).toContain("user: 'ada'");
  expect(stdout).toContain("The token was refused: unsecured.");
});
