import { describe, expect, it } from "vitest";
import { codeRepoLookup } from "../../../src/capabilities/code/repo-lookup.js";
import { fakeClock } from "../../support/clock.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = {
  id: 7,
  name: "tool",
  full_name: "maker/tool",
  private: false,
  owner: { login: "maker", type: "Organization" },
  html_url: "https://github.com/maker/tool",
  description: "A tool",
  fork: true,
  parent: { full_name: "origin/tool" },
  homepage: "",
  size: 120,
  stargazers_count: 50,
  watchers_count: 50,
  subscribers_count: 4,
  forks_count: 3,
  open_issues_count: 2,
  language: "Rust",
  license: { key: "other", name: "Other", spdx_id: "NOASSERTION" },
  topics: ["cli"],
  archived: true,
  visibility: "public",
  default_branch: "main",
  has_issues: true,
  has_wiki: true,
  created_at: "2020-01-02T03:04:05Z",
  updated_at: null,
  pushed_at: "2026-01-02T03:04:05Z",
};
const found: Exchange = { url: "/repos/", body: row };

function open(exchanges: Exchange[], secrets: Record<string, string> = {}) {
  const fake = fakeUpstream(exchanges);
  const clock = fakeClock();
  const ask = (repo: string) => codeRepoLookup({ repo }, { fetch: fake.fetch, clock, secrets, cache: false });
  return { ...fake, clock, ask };
}

describe("code.repo-lookup", () => {
  it("refuses an answer whose topics have another name, and takes one from before there were any", async () => {
    const { topics, ...rest } = row;
    const renamed = { ...rest, labels: topics };
    await expect(open([{ ...found, body: renamed }]).ask("maker/tool")).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
    const { visibility: __, ...old } = rest;
    expect((await open([{ ...found, body: old }]).ask("maker/tool")).items[0]?.topics).toEqual([]);
  });

  it("gives a repository's facts under plain names", async () => {
    const { ask, seen } = open([found]);
    const { items, total, source } = await ask("maker/tool");
    expect(items[0]).toMatchObject({
      id: 7,
      fullName: "maker/tool",
      owner: "maker",
      ownerType: "Organization",
      homepage: null,
      license: null,
      licenseName: "Other",
      stars: 50,
      watchers: 4,
      openIssues: 2,
      sizeKb: 120,
      isFork: true,
      parent: "origin/tool",
      archived: true,
      disabled: false,
      hasWiki: true,
      hasPages: false,
      updatedAt: null,
      pushedAt: "2026-01-02T03:04:05Z",
    });
    expect([total, source.provider]).toEqual([1, "GitHub"]);
    expect(seen[0]?.url.href).toBe("https://api.github.com/repos/maker/tool");
    expect(seen[0]?.headers.get("user-agent")).toBe("Coinslot");
    expect(seen[0]?.headers.has("authorization")).toBe(false);
  });

  it("does without the keys that older answers lack", async () => {
    const { id, name, full_name, html_url, owner, stargazers_count } = row;
    const old =
      "description homepage language license subscribers_count forks_count open_issues_count size default_branch fork";
    const body = emptyBut(`${old} has_issues has_wiki created_at updated_at pushed_at`, {
      ...{ id, name, full_name, html_url, owner, stargazers_count },
    });
    const { ask } = open([{ url: "", body }]);
    const { items } = await ask("maker/tool");
    expect(items[0]).toMatchObject({
      topics: [],
      license: null,
      isTemplate: false,
      visibility: "public",
      parent: null,
    });
  });

  it.each([
    "https://github.com/maker/tool",
    "https://github.com/maker/tool.git",
    "https://www.github.com/maker/tool/",
    "maker/tool.git",
  ])("reads %s as maker/tool", async (repo) => {
    const { ask, seen } = open([found]);
    await ask(repo);
    expect(seen[0]?.url.pathname).toBe("/repos/maker/tool");
  });

  it.each(["noslash", "a/b/c", "../..", "a/..", "a/.", "-a/b", "a/b?x", "a%2Fb/c", "https://gitlab.com/a/b", "a/b\n"])(
    "refuses %j without asking",
    async (repo) => {
      const { ask, seen } = open([]);
      await expect(ask(repo)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "repo" }] });
      expect(seen).toEqual([]);
    },
  );

  it("follows a renamed repository, on the same host only", async () => {
    const moved = (location: string): Exchange => ({ url: "/repos/", status: 301, headers: { location } });
    const renamed = open([moved("https://api.github.com/repositories/7"), { url: "/repositories/7", body: row }]);
    expect((await renamed.ask("old/name")).items[0]?.fullName).toBe("maker/tool");
    await expect(open([moved("https://elsewhere.example/")]).ask("old/name")).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
  });

  it.each<[string, Partial<Exchange>, string]>([
    ["an unknown or private one", { status: 404, body: { message: "Not Found" } }, "NOT_FOUND"],
    ["a taken-down one", { status: 451, body: { message: "blocked", block: { reason: "dmca" } } }, "NOT_FOUND"],
    ["a blocked one", { status: 403, body: { message: "Repository access blocked" } }, "NOT_FOUND"],
    ["a used-up allowance", { status: 403, body: { message: "API rate limit exceeded for x" } }, "UPSTREAM_RATE_LIMIT"],
    [
      "too much haste",
      { status: 403, body: { message: "You have exceeded a secondary rate limit" } },
      "UPSTREAM_RATE_LIMIT",
    ],
    ["haste told by status", { status: 429, headers: { "retry-after": "60" } }, "UPSTREAM_RATE_LIMIT"],
    ["a proxy's refusal", { status: 403, body: "<html>" }, "UPSTREAM_ERROR"],
    ["a renamed field", { body: { ...row, full_name: undefined } }, "UPSTREAM_SCHEMA"],
  ])("UP-2 tells %s from others", async (_, exchange, code) => {
    await expect(open([{ url: "", ...exchange }]).ask("maker/tool")).rejects.toMatchObject({ code });
  });

  it("UP-4 counts 60 requests an hour and refuses the next without asking", async () => {
    const { ask, seen, clock } = open([found]);
    for (let i = 0; i < 60; i++) await ask("maker/tool");
    await expect(ask("maker/tool")).rejects.toMatchObject({
      code: "UPSTREAM_RATE_LIMIT",
      status: 429,
      retryAfter: 3600,
    });
    expect(seen).toHaveLength(60);
    clock.advance(3601);
    await ask("maker/tool");
  });

  it("uses the host's token, which buys more requests", async () => {
    const { ask, seen } = open([found], { GITHUB_TOKEN: "t0ken" });
    for (let i = 0; i < 61; i++) await ask("maker/tool");
    expect(seen[60]?.headers.get("authorization")).toBe("Bearer t0ken");
  });

  it("tells what is left of the allowance, as far as GitHub does", async () => {
    const headers = { "x-ratelimit-remaining": "58", "x-ratelimit-reset": "1780000000" };
    const { meta } = await open([{ ...found, headers }]).ask("maker/tool");
    expect(meta).toEqual({ rateLimitRemaining: 58, rateLimitReset: 1780000000 });
    expect((await open([found]).ask("maker/tool")).meta).toEqual({ rateLimitRemaining: null, rateLimitReset: null });
  });

  it("a refused token is a matter of the host's settings", async () => {
    const { ask } = open([{ url: "", status: 401, body: { message: "Bad credentials" } }], { GITHUB_TOKEN: "old" });
    await expect(ask("maker/tool")).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });
});
