import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import { github } from "../../providers/github/provider.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, label, list, number, reaching, toNumber, whole, wholeOrNone } from "../../upstream/fields.js";

/** Fields were added over the years, so answers of older servers lack many. */
const repository = lazySchema(() =>
  z
    .unknown()
    .check(reaching(["topics"], isOlderThanTopics))
    .pipe(
      whole(
        {
          id: z.number(),
          name: z.string(),
          full_name: z.string(),
          html_url: z.string(),
          owner: whole({ login: z.string(), type: label() }),
          stargazers_count: z.number(),
          description: label(),
          homepage: label(),
          language: label(),
          license: wholeOrNone({ name: label(), spdx_id: label() }),
          subscribers_count: number(),
          forks_count: number(),
          open_issues_count: number(),
          size: number(),
          default_branch: label(),
          fork: flag(),
          has_issues: flag(),
          has_wiki: flag(),
          created_at: label(),
          updated_at: label(),
          pushed_at: label(),
        },
        {
          topics: list(z.string()),
          parent: wholeOrNone({ full_name: label() }),
          archived: flag(),
          disabled: flag(),
          is_template: flag(),
          visibility: label(),
          has_pages: flag(),
          has_discussions: flag(),
        },
      ),
    ),
);

/** Topics are older than these fields. */
const isOlderThanTopics = (row: Record<string, unknown>) => !("visibility" in row || "is_template" in row);

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
      parent: z.string().nullable().describe("For a fork: its origin"),
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
  live: { freshDays: 30 },
  read: ({ repo }) => readRepo(repo),
  async run({ owner, name }, ctx) {
    const found = await upstream(ctx, github).getWithHeaders(`/repos${segments(owner, name)}`, {
      schema: repository(),
      responseHeaders: ["x-ratelimit-remaining", "x-ratelimit-reset"],
      absent: [404],
      ttlMs: 10 * MINUTE_MS,
      staleMs: DAY_MS,
    });
    if (!found) throw new CapabilityError("NOT_FOUND", `GitHub has no public repository ${owner}/${name}.`);
    const { body, headers } = found;
    const meta = {
      rateLimitRemaining: toNumber(headers["x-ratelimit-remaining"]),
      rateLimitReset: toNumber(headers["x-ratelimit-reset"]),
    };
    return { item: toItem(body), meta };
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
    ownerType: row.owner.type,
    name: row.name,
    description: row.description,
    url: row.html_url,
    homepage: row.homepage,
    language: row.language,
    topics: row.topics,
    // GitHub's value for an unknown licence text.
    license: row.license.spdx_id === "NOASSERTION" ? null : row.license.spdx_id,
    licenseName: row.license.name,
    stars: row.stargazers_count,
    // `watchers_count` is the number of stars again.
    watchers: row.subscribers_count,
    forks: row.forks_count,
    openIssues: row.open_issues_count,
    sizeKb: row.size,
    defaultBranch: row.default_branch,
    isFork: row.fork ?? false,
    parent: row.parent.full_name,
    archived: row.archived ?? false,
    disabled: row.disabled ?? false,
    isTemplate: row.is_template ?? false,
    visibility: row.visibility ?? "public",
    hasIssues: row.has_issues ?? false,
    hasWiki: row.has_wiki ?? false,
    hasPages: row.has_pages ?? false,
    hasDiscussions: row.has_discussions ?? false,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    pushedAt: row.pushed_at,
  };
}
