/** The packages that dist/vendor/ is built of, as a bill of materials that scanners read (CycloneDX 1.6). */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Without times and serial numbers, so that the same build gives the same bytes.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} files the folders of packages in each file of dist/vendor/
 * @returns {string} JSON
 */
export function sbomOf(files) {
  const { name, version, license } = manifestIn(".");
  const built = new Map();
  for (const [file, folders] of files)
    for (const folder of folders) {
      const component = componentOf(manifestIn(folder));
      const known = built.get(component.purl) ?? { component, files: new Set() };
      known.files.add(file);
      built.set(component.purl, known);
    }
  const components = [...built.values()]
    .map(({ component, files }) => ({
      ...component,
      properties: [...files].sort().map((value) => ({ name: "coinslot:file", value })),
    }))
    .sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const sbom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: componentOf({ name, version, license }) },
    components,
  };
  // Only scanners read it, so it is as short as it can be: a line for each package.
  return `${JSON.stringify(sbom).replaceAll('{"type":"library"', '\n{"type":"library"')}\n`;
}

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

function componentOf({ name, version, license }) {
  const [scope, rest] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ""}${rest}@${encodeURIComponent(version)}`;
  return {
    type: "library",
    ...(scope ? { group: scope } : {}),
    name: rest,
    version,
    ...licensesOf(typeof license === "string" ? license : license?.type),
    purl,
  };
}

/** A single identifier of SPDX, or an expression of several. */
function licensesOf(license) {
  if (!license) return {};
  return { licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] };
}
