import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { capabilities } from "../src/capabilities/index.js";
import type { AnyCapability } from "../src/capability/types.js";
import { exportName } from "../src/discovery/export-name.js";
import { samples } from "./discovery/samples.js";
import { renderChoices } from "./support/render-choices.js";
import { renderDocsAssets } from "./support/render-docs.js";
import { renderGuarantees } from "./support/render-guarantees.js";
import {
  type CapabilityFile,
  capabilityFiles,
  pathFromRoot,
  readIfPresent,
  renderCatalogue,
  renderClientCatalogue,
  renderEndpoints,
  renderGroup,
  withCapabilityTable,
  withGroupTable,
} from "./support/render-indexes.js";
import { renderInventories } from "./support/render-inventories.js";
import { keysOf, renderKeys, secretsReadBy, withKeyTable } from "./support/render-keys.js";
import { renderLicences } from "./support/render-licences.js";
import { withMetricsTable } from "./support/render-metrics.js";
import { withNeedsLine, withNeedsTables } from "./support/render-needs.js";
import { readOrigins, renderTerms } from "./support/render-terms.js";

// These files follow from the folders: after adding a capability, run this test with -u.
const files = capabilityFiles();
/** Straight from the files, so that one run with -u brings the README up to date, too. */
const found = await Promise.all(files.map(loadCapability));
const groups = [...new Set(files.map(({ group }) => group))];

function moduleOf<T>({ group, path }: CapabilityFile): Promise<Record<string, T>> {
  return import(pathFromRoot(`src/capabilities/${group}/${path}.ts`));
}

async function loadCapability(file: CapabilityFile): Promise<AnyCapability> {
  const { id, group, path } = file;
  const module = await moduleOf<AnyCapability>(file);
  const capability = module[exportName(id)];
  if (!capability) throw new Error(`${group}/${path}.ts exports no ${exportName(id)}`);
  return capability;
}

test("src/capabilities/index.ts lists every capability file", async () => {
  await expect(renderCatalogue(files)).toMatchFileSnapshot(pathFromRoot("src/capabilities/index.ts"));
});

test("src/client/endpoints.ts tells how each capability is asked", async () => {
  await expect(renderEndpoints(found)).toMatchFileSnapshot(pathFromRoot("src/client/endpoints.ts"));
});

test("src/client/catalogue.ts documents each endpoint of a client", async () => {
  await expect(renderClientCatalogue(found)).toMatchFileSnapshot(pathFromRoot("src/client/catalogue.ts"));
});

test("src/docs/assets.ts is what src/docs/browser becomes", async () => {
  await expect(renderDocsAssets()).toMatchFileSnapshot(pathFromRoot("src/docs/assets.ts"));
});

test("src/cli/keys.ts has the keys that coinslot doctor looks for", async () => {
  await expect(renderKeys(await keysOf(found))).toMatchFileSnapshot(pathFromRoot("src/cli/keys.ts"));
});

test("docs/licences.md lists whose code and data an install brings", async () => {
  await expect(renderLicences()).toMatchFileSnapshot(pathFromRoot("docs/licences.md"));
});

test("docs/terms.md lists the terms of every source", async () => {
  await expect(renderTerms(await readOrigins(), found)).toMatchFileSnapshot(pathFromRoot("docs/terms.md"));
});

test.each([...(await renderInventories())])(
  "src/providers/%s/inventory.ts has the keys of its answers",
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(pathFromRoot(`src/providers/${name}/inventory.ts`));
  },
);

test.each(groups)("src/capabilities/%s/index.ts exports the group", async (group) => {
  const own = files.filter((file) => file.group === group);
  await expect(renderGroup(own)).toMatchFileSnapshot(pathFromRoot(`src/capabilities/${group}/index.ts`));
});

test.each(files)("$id is the only export of its file", async (file) => {
  const module = await moduleOf(file);
  expect(Object.keys(module)).toEqual([exportName(file.id)]);
  expect(module[exportName(file.id)]).toHaveProperty("id", file.id);
});

describe("the capability table", () => {
  test("replaces what is between the markers, and nothing else", () => {
    const text = "# Title\n\n<!-- capabilities -->\nold\n<!-- /capabilities -->\n\nEnd.\n";
    expect(withCapabilityTable(text, samples)).toBe(`# Title

<!-- capabilities -->
| id | method | USD | what |
| --- | --- | --- | --- |
| \`draw.picture\` | POST | 0.001 | Draws a picture. |
| \`talk.chat\` | POST | 0.001 to 50 | Talks with a model. |
| \`weather.day-forecast\` | GET | 0.00144 | The forecast of one day for a town. |
| \`weather.stations\` | GET | 0.001 | All stations. |
<!-- /capabilities -->

End.
`);
  });

  test("needs both markers", () => {
    expect(() => withCapabilityTable("<!-- capabilities -->", samples)).toThrow("<!-- /capabilities -->");
  });
});

describe("the table of keys", () => {
  test("tells what is needed, for what and where to get it", () => {
    const keys = [
      { name: "A_KEY", required: true, keyUrl: "https://a.example/keys", free: true, capabilities: ["a.b", "a.c"] },
      {
        name: "B_KEY",
        required: false,
        what: "more calls",
        keyUrl: "https://b.example",
        free: false,
        capabilities: ["b.c"],
      },
      { name: "C_CONTACT", required: false, what: "who asks", capabilities: ["c.d"] },
    ];
    expect(withKeyTable("<!-- keys -->\n<!-- /keys -->", keys)).toBe(`<!-- keys -->
| name | needed | for | what it is |
| --- | --- | --- | --- |
| \`A_KEY\` | yes | \`a.b\`, \`a.c\` | [a key](https://a.example/keys), free |
| \`B_KEY\` | no | \`b.c\` | more calls; [a key](https://b.example), paid |
| \`C_CONTACT\` | no | \`c.d\` | who asks |
<!-- /keys -->`);
  });

  test("has every key that a capability requires or reads", async () => {
    const keys = new Map((await keysOf(found)).map((key) => [key.name, key]));
    for (const capability of found) {
      for (const name of capability.requires)
        expect(keys.get(name), name).toMatchObject({ required: true, keyUrl: expect.stringMatching(/^https:/) });
      for (const name of secretsReadBy(capability))
        expect(keys.get(name)?.capabilities ?? [], `declare ${name} in its provider's settings`).toContain(
          capability.id,
        );
    }
  });
});

test.each([
  ["README.md", (text: string) => withNeedsLine(withGroupTable(text, found), found)],
  ["docs/packages.md", (text: string) => withNeedsTables(text, found)],
  ["docs/capabilities.md", (text: string) => withCapabilityTable(text, found)],
  ["docs/operating.md", withMetricsTable],
  ["docs/keys.md", async (text: string) => withKeyTable(text, await keysOf(found))],
])("%s has the table of what there is", async (page, render) => {
  await expect(await render(readFileSync(pathFromRoot(page), "utf8"))).toMatchFileSnapshot(pathFromRoot(page));
});

test("docs/choices.md has the lines of every engine", async () => {
  const path = pathFromRoot("docs/choices.md");
  const { text, missing } = renderChoices(readFileSync(path, "utf8"));
  expect(missing).toEqual([]);
  await expect(text).toMatchFileSnapshot(path);
});

test.each([
  ["README.md", / brings \d+ endpoints /],
  ["package.json", / \d+ endpoints, sold per call /],
  ["src/cli/help.ts", / \d+ endpoints, called here /],
])("%s tells how many endpoints there are", async (file, place) => {
  const text = readFileSync(pathFromRoot(file), "utf8");
  expect(text).toMatch(place);
  const count = text.replace(place, (found) => found.replace(/\d+/, String(capabilities.length)));
  await expect(count).toMatchFileSnapshot(pathFromRoot(file));
});

describe("docs/guarantees.md", () => {
  const path = pathFromRoot("docs/guarantees.md");
  const page = renderGuarantees(readFileSync(path, "utf8"));

  test("names the tests of each promise", async () => {
    await expect(page.text).toMatchFileSnapshot(path);
  });

  test("has a test for each promise, and a promise for each number in a test's title, once", () => {
    const { untested, unpromised, repeated } = page;
    expect({ untested, unpromised, repeated }).toEqual({ untested: [], unpromised: [], repeated: [] });
  });

  test("has promises that are sentences with a subject, under headings that have some", () => {
    const rows = page.text.split("\n").flatMap((line) => /^\| ([A-Z]+-\d+) \| (.+?) \|/.exec(line)?.slice(1) ?? []);
    const [numbers, promises] = [rows.filter((_, at) => at % 2 === 0), rows.filter((_, at) => at % 2 === 1)];
    expect(numbers.length).toBeGreaterThan(250);
    const isSentence = (text: string) =>
      /^[A-Z].*\.$/.test(text) && !/\bsection \d|^(?:It|That|What|Whoever|Which)\b/.test(text);
    expect(promises.filter((text) => !isSentence(text))).toEqual([]);
    const isShort = (text: string) => text.split(/(?<=[.:;]) /).every((part) => part.split(" ").length <= 35);
    expect(promises.filter((text) => !isShort(text))).toEqual([]);
    const sections = page.text.split(/^## /m).slice(1);
    expect(sections.filter((section) => !/^\| [A-Z]+-\d/m.test(section))).toEqual([]);
  });

  test("tells a promise without a test, a number without a promise, and one that stands twice", () => {
    const tests = new Map([
      ["a", 'it("PAY-1 pays", () => {});\nit.each([["x", () => 1]])(\n  "CH-2, CH-3 %s",\n);'],
      ["b", 'onPostgres(`PAY-1 and PAY-9 too`);\nconst rows = [["CH-4 as a row"], ["AX-123 City"], ["UTF-8 text"]];'],
    ]);
    const rows = "| PAY-1 | One. |\n| CH-2 | Two. | old |\n| PAY-1 | One. |\n| WAL-7 | None. |";
    const { text, ...told } = renderGuarantees(rows, tests);
    expect(told).toEqual({ untested: ["WAL-7"], unpromised: ["CH-3", "PAY-9", "CH-4"], repeated: ["PAY-1"] });
    expect(text.split("\n")[0]).toBe("| PAY-1 | One. | `a`, `b` |");
    expect(text.split("\n")[1]).toBe("| CH-2 | Two. | `a` |");
  });
});

const OF_WALLETS = ["store", "lock", "queue", "schedule", "pubsub", "watchers", "webhooks"];

const CatalogueRow = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  price: z.unknown(),
  shape: z.string(),
  billing: z.string(),
});

test("every capability has the method, path, price, shape and billing of the reference catalogue", () => {
  // The reference lies beside the repository where it is developed; a clone elsewhere has none.
  const reference = readIfPresent("../shared/catalog.json");
  if (reference === undefined) return;
  const rows = z.array(CatalogueRow).parse(JSON.parse(reference));
  const ours = capabilities.map(({ id, method, path, price, shape, billing }) => ({
    ...{ id, method, path, price, shape, billing },
  }));
  const ids = new Set<string>(ours.map(({ id }) => id));
  const listed = new Set<string>(rows.map(({ id }) => id));
  expect(ours.filter(({ id }) => listed.has(id))).toEqual(rows.filter(({ id }) => ids.has(id)));
  // The reference names it, and leaves the rest open. Wallets' state and offline capabilities have their own description.
  const unlisted = capabilities.filter(
    ({ id, group, offline }) => !listed.has(id) && !OF_WALLETS.includes(group) && !offline,
  );
  expect(unlisted.map(({ id }) => id)).toEqual(["crypto.kimchi-premium"]);
});
