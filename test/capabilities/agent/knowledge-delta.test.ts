import { describe, expect, it } from "vitest";
import { agentKnowledgeDelta } from "../../../src/capabilities/agent/index.js";
import { fakeClock } from "../../support/clock.js";
import { modelServer, promptOf, type Reply } from "../../support/model-server.js";

const register = {
  count: 2,
  results: [
    {
      document_number: "2026-1",
      type: "Rule",
      title: "A rule on kites",
      abstract: "Kites <b>need</b> licences.",
      publication_date: "2026-06-02",
      html_url: "https://www.federalregister.gov/d/2026-1",
    },
    {
      document_number: "2026-2",
      type: "Notice",
      title: "Paper  on kites!",
      abstract: null,
      publication_date: "2026-06-03",
      html_url: "https://www.federalregister.gov/d/2026-2",
    },
  ],
};
const votes = {
  objects: [
    {
      id: 7,
      created: "2026-06-05T13:46:00",
      chamber: "senate",
      question: "On the Kite Safety Act",
      result: "Passed",
      total_plus: 60,
      total_minus: 40,
      related_bill: null,
      link: "https://www.govtrack.us/congress/votes/119-2026/s7",
    },
    {
      id: 8,
      created: "2026-06-05T13:46:00",
      chamber: "house",
      question: "On Passage of something else",
      result: "Failed",
      link: null,
    },
  ],
};
const papers = `<?xml version="1.0"?><feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><opensearch:totalResults>2</opensearch:totalResults>
<entry><id>http://arxiv.org/abs/2606.1v1</id><title>Paper on
 kites</title><summary>They fly.</summary><published>2026-06-04T10:00:00Z</published></entry>
<entry><id>http://arxiv.org/abs/2601.1v1</id><title>An old one</title><summary>x</summary><published>2026-01-04T10:00:00Z</published></entry></feed>`;
const opinions = {
  results: [
    {
      cluster_id: 5,
      caseName: "Kite v. String",
      citation: ["1 F.5th 2"],
      court: "Ninth Circuit",
      court_id: "ca9",
      dateFiled: "2026-06-06",
      absolute_url: "/opinion/5/kite/",
      syllabus: "",
      opinions: [{ snippet: "The <mark>kite</mark>\n flew." }],
    },
    {
      cluster_id: 6,
      caseName: "State matter",
      citation: [],
      court: "Hawaii",
      court_id: "hawapp",
      dateFiled: "2026-06-06",
      absolute_url: "/opinion/6/x/",
      opinions: [],
    },
  ],
};

type Answer = object | string | "down";
const HOSTS: Record<string, Answer> = {
  "www.federalregister.gov": register,
  "www.govtrack.us": votes,
  "export.arxiv.org": papers,
  "www.courtlistener.com": opinions,
};

const isRouting = (system: string) => system.includes("Choose which sources");
const digestOf = (events: object[]) => JSON.stringify({ events });

async function setUp(
  digest: Reply | undefined,
  { routing = '{"sources":[]}', hosts = {} }: { routing?: Reply; hosts?: Record<string, Answer> } = {},
) {
  const server = await modelServer((asked) => (isRouting(promptOf(asked).system) ? routing : digest));
  const visited: URL[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.hostname === "127.0.0.1") return globalThis.fetch(input, init);
    visited.push(url);
    const answer = { ...HOSTS, ...hosts }[url.hostname];
    if (answer === "down" || answer === undefined) return new Response("no", { status: 500 });
    return typeof answer === "string"
      ? new Response(answer, { headers: { "content-type": "application/atom+xml" } })
      : Response.json(answer);
  };
  const options = {
    secrets: server.secrets,
    fetch,
    clock: fakeClock("2026-06-30T00:00:00Z"),
    cache: false as const,
  };
  return { options, visited, asked: server.asked };
}

const input = { topic: "kite safety", since: "2026-06-01" };

describe("agent.knowledge-delta", () => {
  it("asks four sources, and gives only events whose date and address were fetched", async () => {
    const events = [
      {
        ref: "R1",
        title: "Kites regulated",
        summary: "Licences ![x](https://evil.example/p.png)",
        significance: 9,
        date: "1999-01-01",
        sourceUrl: "https://evil.example/",
      },
      { ref: "R99", title: "Invented", summary: "Never fetched.", significance: 5 },
      { ref: "R4", title: "Ruling", summary: "It flew.", significance: 2 },
    ];
    const { options, visited } = await setUp(digestOf(events));
    const { items, meta } = await agentKnowledgeDelta(input, options);
    expect(new Set(visited.map(({ hostname }) => hostname))).toEqual(new Set(Object.keys(HOSTS)));
    expect(items[0]?.query).toEqual({ ...input, until: "2026-06-30", maxEvents: 20 });
    expect(items[0]?.sourcesQueried).toEqual([
      "federal-register",
      "congress-votes",
      "academic-papers",
      "federal-courts",
    ]);
    expect(items[0]?.events).toEqual([
      {
        ...{ title: "Kites regulated", summary: "Licences x", date: "2026-06-02", significance: 5 },
        ...{
          source: "federal-register",
          sourceLabel: "Federal Register",
          sourceUrl: "https://www.federalregister.gov/d/2026-1",
        },
      },
      {
        ...{ title: "Ruling", summary: "It flew.", date: "2026-06-06", significance: 2 },
        ...{
          source: "federal-courts",
          sourceLabel: "CourtListener",
          sourceUrl: "https://www.courtlistener.com/opinion/5/kite/",
        },
      },
    ]);
    expect(meta).toMatchObject({ rawHits: 6, sources: { "congress-votes": { status: "ok", hits: 1 } } });
  });

  it("says the same thing once, leaves out what is older, and votes on something else", async () => {
    const { options, asked } = await setUp(digestOf([]));
    await agentKnowledgeDelta(input, options);
    const { user } = promptOf(asked.at(-1) as (typeof asked)[0]);
    expect(user.match(/Paper\s+on kites/g)).toHaveLength(1);
    expect(user).not.toMatch(/An old one|something else|State matter/);
    expect(user).toContain("Senate vote: Passed 60-40.");
  });

  it("asks only the sources that the model chose, for its words", async () => {
    const routing = JSON.stringify({ sources: [{ id: "federal-courts", query: "kite collision" }] });
    const { options, visited } = await setUp(digestOf([]), { routing });
    const { meta, items } = await agentKnowledgeDelta(input, options);
    expect(visited.map((url) => url.searchParams.get("q"))).toEqual(["kite collision"]);
    expect(items[0]?.sourcesQueried).toEqual(["federal-courts"]);
    expect(meta).toMatchObject({ sources: { "federal-register": { status: "skipped" } } });
  });

  it("works, less well, when a source is down, and without a model", async () => {
    const { options } = await setUp(
      { status: 503 },
      { routing: { status: 503 }, hosts: { "export.arxiv.org": "down" } },
    );
    const { items, meta } = await agentKnowledgeDelta({ ...input, maxEvents: 2 }, options);
    expect(items[0]?.events.map(({ title, significance }) => [title, significance])).toEqual([
      ["Kite v. String, 1 F.5th 2", 3],
      ["On the Kite Safety Act", 3],
    ]);
    expect(meta).toMatchObject({ sources: { "academic-papers": { status: "error", error: "UPSTREAM_ERROR" } } });
  });

  it("UP-2 fails when all sources are down, and says so when there is nothing", async () => {
    const down = Object.fromEntries(Object.keys(HOSTS).map((host) => [host, "down" as const]));
    const failing = await setUp(digestOf([]), { hosts: down });
    await expect(agentKnowledgeDelta(input, failing.options)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    const nothing = {
      "www.federalregister.gov": { count: 0 },
      "www.govtrack.us": { objects: [] },
      "export.arxiv.org": '<feed xmlns:opensearch="x"><opensearch:totalResults>0</opensearch:totalResults></feed>',
      "www.courtlistener.com": { results: [] },
    };
    const empty = await setUp(digestOf([]), { hosts: nothing });
    const { items, meta } = await agentKnowledgeDelta(input, empty.options);
    expect(items[0]?.events).toEqual([]);
    expect(meta).toMatchObject({ rawHits: 0 });
    expect(empty.asked).toHaveLength(1);
  });

  it.each([
    [{ since: "2026-07-01" }, "since"],
    [{ until: "2026-05-01" }, "until"],
  ])("refuses a span that has no days: %o", async (dates, path) => {
    const { options } = await setUp(undefined);
    await expect(agentKnowledgeDelta({ ...input, ...dates }, options)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });
});
