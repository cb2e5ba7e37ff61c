import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import { github } from "../../providers/github.js";
import { segments, upstream } from "../../upstream/client.js";

/** Keys came over the years: answers of older servers lack many. */
const repository = lazySchema(() =>
  z.object({
    id: z.number(),
    name: z.string(),
    full_name: z.string(),
    html_url: z.string(),
    owner: z.object({ login: z.string(), type: z.string().nullish() }),
    stargazers_count: z.number(),
    description: z.string().nullish(),
    homepage: z.string().nullish(),
    language: z.string().nullish(),
    topics: z.array(z.string()).nullish(),
    license: z.object({ name: z.string().nullish(), spdx_id: z.string().nullish() }).nullish(),
    subscribers_count: z.number().nullish(),
    forks_count: z.number().nullish(),
    open_issues_count: z.number().nullish(),
    size: z.number().nullish(),
    default_branch: z.string().nullish(),
    fork: z.boolean().nullish(),
    parent: z.object({ full_name: z.string() }).nullish(),
    archived: z.boolean().nullish(),
    disabled: z.boolean().nullish(),
    is_template: z.boolean().nullish(),
    visibility: z.string().nullish(),
    has_issues: z.boolean().nullish(),
    has_wiki: z.boolean().nullish(),
    has_pages: z.boolean().nullish(),
    has_discussions: z.boolean().nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string().nullish(),
    pushed_at: z.string().nullish(),
  }),
);

export const codeRepoLookup = /* @__PURE__ */ defineCapability({
  id: "code.repo-lookup",
  summary: "Facts about a public GitHub repository: stars, forks, licence, language, topics, activity, state.",
  keywords: ["github", "repository", "stars", "open source", "license", "git", "forks", "maintained", "project"],
  price: "0.0012",
  provider: github,
  input: () =>
    z.strictObject({
      repo: text(3, 200).describe("The repository as owner/name, such as nodejs/node; its GitHub address works, too"),
    }),
  output: one(() =>
    z.object({
      id: z.number(),
      fullName: z.string(),
      owner: z.string(),
      ownerType: z.string().nullable().describe("User or Organization"),
      name: z.string(),
      description: z.string().nullable(),
      url: z.string(),
      homepage: z.string().nullable(),
      language: z.string().nullable(),
      topics: z.array(z.string()),
      license: z.string().nullable().describe("SPDX id"),
      licenseName: z.string().nullable(),
      stars: z.number(),
      watchers: z.number().nullable().describe("Who is notified of its events"),
      forks: z.number().nullable(),
      openIssues: z.number().nullable().describe("Open issues and pull requests"),
      sizeKb: z.number().nullable(),
      defaultBranch: z.string().nullable(),
      isFork: z.boolean(),
      parent: z.string().nullable().describe("Of a fork: what it was made from"),
      archived: z.boolean(),
      disabled: z.boolean(),
      isTemplate: z.boolean(),
      visibility: z.string(),
      hasIssues: z.boolean(),
      hasWiki: z.boolean(),
      hasPages: z.boolean(),
      hasDiscussions: z.boolean(),
      createdAt: z.string().nullable(),
      updatedAt: z.string().nullable(),
      pushedAt: z.string().nullable(),
    }),
  ),
  example: { repo: "nodejs/node" },
  check: ({ repo }) => void readRepo(repo),
  async run({ repo }, ctx) {
    const { owner, name } = readRepo(repo);
    const found = await upstream(ctx, github).get(`/repos${segments(owner, name)}`, {
      schema: repository(),
      absent: [404],
      ttlMs: 10 * MINUTE_MS,
      staleMs: DAY_MS,
    });
    if (!found) throw new CapabilityError("NOT_FOUND", `There is no public repository ${owner}/${name} on GitHub.`);
    return { item: toItem(found) };
  },
});

function readRepo(repo: string): { owner: string; name: string } {
  const path = repo.replace(/^https:\/\/(?:www\.)?github\.com\//i, "").replace(/(?:\.git)?\/?$/, "");
  const [, owner, name] = /^([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})$/.exec(path) ?? [];
  if (!owner || !name || name === "." || name === "..")
    throw invalid("repo", "must have the form owner/name, such as nodejs/node");
  return { owner, name };
}

function toItem(row: z.output<ReturnType<typeof repository>>) {
  return {
    id: row.id,
    fullName: row.full_name,
    owner: row.owner.login,
    ownerType: row.owner.type ?? null,
    name: row.name,
    description: row.description ?? null,
    url: row.html_url,
    homepage: row.homepage || null,
    language: row.language ?? null,
    topics: row.topics ?? [],
    // What GitHub says of a text that it does not know.
    license: row.license?.spdx_id === "NOASSERTION" ? null : (row.license?.spdx_id ?? null),
    licenseName: row.license?.name ?? null,
    stars: row.stargazers_count,
    // `watchers_count` is the stars again.
    watchers: row.subscribers_count ?? null,
    forks: row.forks_count ?? null,
    openIssues: row.open_issues_count ?? null,
    sizeKb: row.size ?? null,
    defaultBranch: row.default_branch ?? null,
    isFork: row.fork ?? false,
    parent: row.parent?.full_name ?? null,
    archived: row.archived ?? false,
    disabled: row.disabled ?? false,
    isTemplate: row.is_template ?? false,
    visibility: row.visibility ?? "public",
    hasIssues: row.has_issues ?? false,
    hasWiki: row.has_wiki ?? false,
    hasPages: row.has_pages ?? false,
    hasDiscussions: row.has_discussions ?? false,
    createdAt: row.created_at ?? null,
    updatedAt: row.updated_at ?? null,
    pushedAt: row.pushed_at ?? null,
  };
}
