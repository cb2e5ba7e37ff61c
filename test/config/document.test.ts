/** The documentation of configuration files, as a reader tries it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { hostFileOf } from "../../src/cli/config/serve-file.js";
import { coinslotHere } from "../support/cli.js";
import { configSchema } from "../support/render-config-schema.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { TREASURY } from "../support/wallets.js";

const folder = mkdtempSync(join(tmpdir(), "coinslot-document-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const written = (text: string) => {
  const file = join(folder, `${++files}.yaml`);
  writeFileSync(file, text);
  return file;
};

describe("docs/configuration.md", () => {
  const page = readFileSync(pathFromRoot("docs/configuration.md"), "utf8");
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const env = {
    ...{ FACILITATOR_KEY: "k", DATABASE_URL: "postgres://localhost/acme", METRICS_TOKEN: "a-token-of-the-host" },
    WEBHOOK_SECRET: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
  };

  it("has a file that can be served, and that its schema takes", async () => {
    writeFileSync(join(folder, "refund.key"), `0x${"1".repeat(64)}\n`);
    const { options, store } = await hostFileOf(written(example), env);
    expect([options.brand?.name, store]).toEqual(["Acme Data", { postgres: env.DATABASE_URL }]);
    const validate = new Ajv({ strict: false }).compile(JSON.parse(configSchema()));
    validate(parse(example));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("has what the command does: a right file ends with 0, a wrong one with 2 and the name", async () => {
    const right = written(
      `capabilities: [convert]\npayment: { treasury: { "eip155:8453": "${TREASURY}" }, facilitator: { url: https://f.test } }`,
    );
    const done = await coinslotHere(["config", "check", right]);
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/is right[\s\S]*sells +\d+ endpoints/)]);
    const wrong = await coinslotHere(["config", "check", written("capabilities: [convert]\nbrnd: {}")]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean "brand"?')]);
    expect(JSON.parse((await coinslotHere(["config", "schema"])).out)).toMatchObject({ type: "object" });
    expect((await coinslotHere(["config", "chek"])).err).toContain("Did you mean check?");
  });
});
