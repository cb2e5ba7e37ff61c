// May we ship these dependencies? Their versions, licences and advisories are judged in one pass, offline.
import { pathToFileURL } from "node:url";
import { devLicense, devRegexTest, devVersion } from "coinslot/capabilities/dev";
import { securityCvss } from "coinslot/capabilities/security";

const only = ({ items: [item] }) => item;

/** What speaks against each package: an empty list is a yes. `allowed` are licences, `worst` the least CVSS score that stops. */
export async function audit(packages, { allowed, worst, advisories }) {
  const verdicts = [];
  for (const { name, version, range, licence } of packages) {
    const against = [];
    if (!only(await devVersion({ operation: "satisfies", version, range })).satisfies) against.push(`not ${range}`);
    if (!only(await devLicense({ expression: licence, allowed: allowed.join(",") })).satisfied) against.push(licence);
    for (const { id, pattern, affected, vector } of advisories) {
      if (only(await devRegexTest({ pattern, text: name })).count === 0) continue;
      if (!only(await devVersion({ operation: "satisfies", version, range: affected })).satisfies) continue;
      const { scores, severity } = only(await securityCvss({ vector }));
      if (scores.overall >= worst) against.push(`${id}, ${severity} ${scores.overall}`);
    }
    verdicts.push({ name, against });
  }
  return verdicts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const packages = [
    { name: "@tea/kettle", version: "1.4.2", range: "^1.2.3", licence: "(MIT OR GPL-2.0-only) AND Apache-2.0" },
    { name: "@tea/cup", version: "2.0.0-rc.1", range: "^1.9.0", licence: "AGPL-3.0-only" },
  ];
  const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
  const advisories = [{ id: "TEA-1", pattern: "^@tea/k", affected: "<1.4.3", vector }];
  for (const { name, against } of await audit(packages, { allowed: ["MIT", "Apache-2.0"], worst: 7, advisories }))
    console.log(name, against);
}
