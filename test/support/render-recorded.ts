/** src/docs/recorded-answers.ts: answers of upstreams in the public domain, from recordings that lie beside the repository. */
import { isDeepStrictEqual } from "node:util";
import type { AnyCapability } from "../../src/capability/types.js";
import { shorten } from "../../src/docs/example-answer.js";
import { type Recording, replay } from "./recordings.js";

/** Works without copyright: nobody's permission is needed to repeat what they say. */
const FREE = /work of the United States government|\bCC0\b|public domain/i;
const MAX_CHARACTERS = 2500;

const OWNED = /\bCC BY\b/;
/** Their answers may name people, who are no example. */
const NAMING = new Set([
  ...["aircraft.lookup", "aircraft.profile", "book.search", "business.sos-search"],
  ...["clinical.study-detail", "clinical.trial-search"],
]);

const isFree = ({ id, terms, source }: AnyCapability): boolean => {
  const said = `${terms?.note} ${source.license}`;
  return terms?.resale === "allowed" && FREE.test(said) && !OWNED.test(said) && !NAMING.has(id);
};

interface Answered {
  input: unknown;
  json: unknown;
  shortened: boolean;
}

async function answerOf(capability: AnyCapability, cases: Recording[]): Promise<Answered | undefined> {
  const isExample = ({ input }: Recording) => isDeepStrictEqual(input, capability.example);
  for (const recorded of [...cases].sort((a, b) => Number(isExample(b)) - Number(isExample(a)))) {
    const { input, now, secrets, exchanges } = recorded;
    const { fetch } = replay(exchanges);
    const required = Object.fromEntries(capability.requires.map((name) => [name, "test-key"]));
    const clock = () => new Date(now ?? "2026-01-15T12:00:00Z");
    const options = { fetch, clock, cache: false as const, secrets: { ...required, ...secrets } };
    const result = await capability(input, options).catch(() => undefined);
    const found = fitting(result);
    if (found) return { input, ...found };
  }
  return undefined;
}

/** As many entries of a list as fit; an answer without any shows nothing. */
function fitting(result: unknown): Pick<Answered, "json" | "shortened"> | undefined {
  const { items } = (result ?? {}) as { items?: unknown[] };
  if (!items || items.length === 0) return undefined;
  for (const most of [3, 2, 1]) {
    const { value, shortened } = shorten(result, most);
    if (JSON.stringify(value).length <= MAX_CHARACTERS) return { json: value, shortened };
  }
  return undefined;
}

export async function renderRecorded(
  capabilities: readonly AnyCapability[],
  cases: readonly Recording[],
): Promise<string> {
  const lines: string[] = [];
  for (const capability of capabilities.filter(isFree)) {
    const own = cases.filter((one) => one.capability === capability.id);
    const answer = await answerOf(capability, own);
    if (answer) lines.push(`  "${capability.id}":\n    ${quoted(JSON.stringify(answer))},\n`);
  }
  return `/** Generated: npx vitest run test/docs/recorded-answers.test.ts -u. Answers of sources in the public domain, as JSON. */
export const RECORDED: Readonly<Record<string, string>> = {
${lines.join("")}};
`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
