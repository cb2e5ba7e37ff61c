// One issue for each provider that changed: opened, kept up to date, and closed when its answers can be read again.
// node examples/drift-issues/app.js drift.json, with GITHUB_TOKEN and GITHUB_REPOSITORY as a workflow sets them.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { byProvider, textOf, unknownProviders } from "./report.js";

const LABEL = "upstream";
const PREFIX = "Upstream changed: ";

export async function keepIssues(report, { repository, token, api = "https://api.github.com" }) {
  const ask = askerOf(`${api}/repos/${repository}`, token);
  const open = new Map();
  for (const { number, title, body } of await ask(`/issues?labels=${LABEL}&state=open&per_page=100`, "GET"))
    if (title.startsWith(PREFIX)) open.set(title.slice(PREFIX.length), { number, body });
  const [changed, unknown] = [byProvider(report), unknownProviders(report)];
  for (const [provider, findings] of changed) {
    const [body, known] = [textOf(findings, report), open.get(provider)];
    if (!known) await ask("/issues", "POST", { title: PREFIX + provider, body, labels: [LABEL] });
    else if (known.body !== body) await ask(`/issues/${known.number}`, "PATCH", { body });
  }
  for (const [provider, { number }] of open)
    if (!changed.has(provider) && !unknown.has(provider))
      await ask(`/issues/${number}`, "PATCH", { state: "closed", state_reason: "completed" });
  return changed.size;
}

const askerOf = (base, token) => async (path, method, body) => {
  const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${token}` };
  const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return response.json();
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const report = JSON.parse(await readFile(process.argv[2] ?? "drift.json", "utf8"));
  const { GITHUB_REPOSITORY: repository = "", GITHUB_TOKEN: token = "", GITHUB_API_URL: api } = process.env;
  const count = await keepIssues(report, { repository, token, api });
  console.log(`${count} providers changed`);
}
