import { afterEach, expect, it, vi } from "vitest";
import { keepIssues } from "../examples/drift-issues/app.js";

const finding = (provider: string, own: string) => ({
  ...{ provider, call: "institutions", class: own, status: 200, codes: ["UPSTREAM_SCHEMA"], breaks: ["bank.lookup"] },
  differences: [{ path: "data[].CERT", was: "number", now: "string", count: 3, of: 3 }],
});
const report = (...findings: object[]) => ({ versions: { coinslot: "1.0.0" }, day: "2026-11-23", findings });

interface Issue {
  number: number;
  title: string;
  body: string;
  state: string;
}

/** A tracker of issues, as GitHub answers. */
function tracker() {
  const issues: Issue[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string, init: RequestInit) => {
    const path = input.replace("https://api.github.com/repos/acme/shop", "");
    asked.push(`${init.method} ${path}`);
    const sent = init.body ? JSON.parse(String(init.body)) : {};
    if (init.method === "GET") return Response.json(issues.filter(({ state }) => state === "open"));
    if (init.method === "POST") issues.push({ ...sent, number: issues.length + 1, state: "open" });
    else Object.assign(issues.find(({ number }) => path.endsWith(`/${number}`)) ?? {}, sent);
    return Response.json({});
  });
  return { issues, asked };
}
afterEach(() => vi.unstubAllGlobals());
const keep = (given: object) => keepIssues(given as never, { repository: "acme/shop", token: "t" });

it("drift-issues opens one issue a provider, updates it, and closes it when its answers can be read again", async () => {
  const { issues, asked } = tracker();
  await keep(
    report(finding("fdic", "shape"), finding("fdic", "empty"), finding("ecb", "stale"), finding("sec", "outage")),
  );
  expect(issues.map(({ title }) => title)).toEqual(["Upstream changed: fdic", "Upstream changed: ecb"]);
  expect(issues[0]?.body).toContain("`data[].CERT`: number -> string (3 of 3)");
  await keep(report(finding("fdic", "shape"), finding("fdic", "empty"), finding("ecb", "outage")));
  expect(asked.filter((one) => !one.startsWith("GET"))).toEqual(["POST /issues", "POST /issues"]);
  await keep(report(finding("fdic", "parser")));
  expect(issues.map(({ state }) => state)).toEqual(["open", "closed"]);
  expect(issues[0]?.body).toContain("institutions: parser");
  await keep(report());
  expect(issues.map(({ state }) => state)).toEqual(["closed", "closed"]);
});
