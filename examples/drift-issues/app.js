// One issue for each provider that changed: opened, kept up to date, and closed when its answers can be read again.
// node examples/drift-issues/app.js drift.json, with GITHUB_TOKEN and GITHUB_REPOSITORY as a workflow sets them.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const LABEL = "upstream";
const TO_MEND = ["empty", "stale", "shape", "parser"];
const PREFIX = "Upstream changed: ";

/** Findings that are ours to mend, by provider. */
export function byProvider({ findings }) {
  const found = new Map();
  for (const finding of findings.filter((one) => TO_MEND.includes(one.class)))
    found.set(finding.provider, [...(found.get(finding.provider) ?? []), finding]);
  return found;
}

export function textOf(findings, { versions, day }) {
  const lines = findings.flatMap(
    ({ call, class: own, differences, breaks, ageDays, allowedDays, emptyList, codes }) => [
      `### ${call}: ${own}`,
      `Breaks ${breaks.map((id) => `\`${id}\``).join(", ")}.${codes.length > 0 ? ` Callers get ${codes.join(", ")}.` : ""}`,
      ...differences.map(
        ({ path, was, now, count, of }) => `- \`${path || "$"}\`: ${was} -> ${now} (${count} of ${of})`,
      ),
      ...(ageDays === undefined ? [] : [`- the newest data is ${ageDays} days old, allowed ${allowedDays}`]),
      ...(emptyList === undefined ? [] : [`- \`${emptyList}\` has no rows`]),
      "",
    ],
  );
  return [...lines, `Last seen on ${day} with coinslot ${versions.coinslot}.`].join("\n");
}

/** What could not be asked says nothing about its provider, so its issue stays as it is. */
export const unknownProviders = ({ findings }) =>
  new Set(findings.filter((one) => !TO_MEND.includes(one.class)).map(({ provider }) => provider));

export async function keepIssues(report, { repository, token, api = "https://api.github.com" }) {
  const ask = async (path, method = "GET", body = undefined) => {
    const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${token}` };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(`${api}/repos/${repository}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
    return response.json();
  };
  const open = new Map();
  for (const { number, title, body } of await ask(`/issues?labels=${LABEL}&state=open&per_page=100`))
    if (title.startsWith(PREFIX)) open.set(title.slice(PREFIX.length), { number, body });
  const changed = byProvider(report);
  for (const [provider, findings] of changed) {
    const body = textOf(findings, report);
    const known = open.get(provider);
    if (!known) await ask("/issues", "POST", { title: PREFIX + provider, body, labels: [LABEL] });
    else if (known.body !== body) await ask(`/issues/${known.number}`, "PATCH", { body });
  }
  const unknown = unknownProviders(report);
  for (const [provider, { number }] of open)
    if (!changed.has(provider) && !unknown.has(provider))
      await ask(`/issues/${number}`, "PATCH", { state: "closed", state_reason: "completed" });
  return changed.size;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const report = JSON.parse(await readFile(process.argv[2] ?? "drift.json", "utf8"));
  const { GITHUB_REPOSITORY: repository = "", GITHUB_TOKEN: token = "", GITHUB_API_URL: api } = process.env;
  const count = await keepIssues(report, { repository, token, api });
  console.log(`${count} providers changed`);
}
