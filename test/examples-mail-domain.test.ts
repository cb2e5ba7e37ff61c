import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

it("mail-domain/app.js grades a domain as it is, and as it would be", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/mail-domain/app.js")]);
  const [now = "", planned = ""] = stdout.split("planned:");
  expect(now).toContain("grade: 'C'");
  expect(now).toContain("DMARC only watches: p=none.");
  expect(now).toContain("'198.51.100.7': 'neutral'");
  expect(planned).toContain("grade: 'A'");
  expect(planned).toContain("reasons: []");
  expect(planned).toContain("'192.0.2.10': 'pass', '198.51.100.7': 'fail'");
});
