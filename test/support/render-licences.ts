/** docs/licences.md: whose code and data an install brings, and under which licences. */
import { readdirSync, readFileSync } from "node:fs";
import { builtIn, defaultTree, type InstalledPackage } from "./installed-tree.js";
import { pathFromRoot } from "./render-indexes.js";

export interface DataFile {
  path: string;
  /** Its head, up to the licence's own text. */
  notice: string;
}

const GENERATED = /\s*(?:Generated|Made) by scripts\/[\s\S]*$/;

/** Tables that a script made of others' data: each tells whose in its head. */
export function dataFiles(): DataFile[] {
  return readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(pathFromRoot(path), "utf8");
      const [, head = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
      if (!/scripts\/generate-/.test(head)) return [];
      const lines = head
        .replace(/^ *\* ?/gm, "")
        .replace(/@license.*/, "")
        .trim();
      return [{ path, notice: noticeIn(lines) }];
    });
}

/** A head that names its script first has its notice in the paragraph after it. */
function noticeIn(head: string): string {
  const [first = "", second = ""] = head.split("\n\n");
  const notice =
    GENERATED.test(first) && second ? `${first.replace(GENERATED, "")} ${second}` : head.replace(GENERATED, "");
  return notice.replace(/\s+/g, " ").trim();
}

interface Rules {
  name: string;
  version: string;
  repository: string;
  commit: string;
  licence: string;
}

const invoiceRules = (): Rules[] => JSON.parse(readFileSync(pathFromRoot("data/invoice-rules/rules.json"), "utf8"));

const row = ({ name, version, licence }: InstalledPackage) => `| \`${name}\` | ${version} | ${licence} |`;

export const renderLicences = (): string => `# Licences

Coinslot is under the MIT licence. Whose code and data come with it is listed here, from what the packages say of themselves; a
test refuses code that is not under a permissive licence. Terms of the sources that are asked over the network are in
[terms](terms.md), and each answer names its own in \`data.source\`.

## Packages that an install brings

| Package | Version | Licence |
| --- | --- | --- |
${defaultTree().map(row).join("\n")}

Optional packages, which a host installs by itself, are under their own licences; [deploying](deploying.md) lists them. All are
under permissive ones but \`@jmespath-community/jmespath\` (MPL-2.0), and the fonts (OFL 1.1; DejaVu: Bitstream Vera).

## Libraries that are built in

They, and what they use of these, are in \`dist/vendor\`, in minified form; \`dist/vendor/LICENSES.txt\` has the text of each licence, and
\`dist/vendor/sbom.cdx.json\` lists them for scanners (CycloneDX).

| Package | Version | Licence |
| --- | --- | --- |
${builtIn().map(row).join("\n")}

The rules of holidays in \`date-holidays\` are data of its contributors, after Wikipedia, under CC BY-SA 3.0: their authors are
named in \`dist/vendor/LICENSES.txt\`, and share-alike holds for what is made of the rules. All corrections of ours stand in a
table of their own.

## Rules of others

They lie in \`dist/data\`, unchanged but packed, beside the texts of their licences.

| Rules | Version | From | Licence |
| --- | --- | --- | --- |
${invoiceRules()
  .map(({ name, version, repository, commit, licence }) => {
    const address = `https://github.com/${repository}`;
    return `| ${name} | ${version} | ${address} at \`${commit.slice(0, 7)}\` | ${licence} |`;
  })
  .join("\n")}

## Tables of data

| File | Notice |
| --- | --- |
${dataFiles()
  .map(({ path, notice }) => `| \`${path}\` | ${notice.replaceAll("|", "\\|")} |`)
  .join("\n")}
`;
