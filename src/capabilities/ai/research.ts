import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text, uri } from "../../capability/fields.js";
import { one, type Source } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { plainProse } from "../../engines/models/prose.js";
import { CapabilityError } from "../../errors.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { findArticles } from "../../providers/wikipedia/articles.js";
import { wikipedia } from "../../providers/wikipedia/provider.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { assertAllowedUrl } from "../../upstream/outbound/allowed-url.js";
import { askModel } from "./_ask.js";
import {
  checkSource,
  type DocumentUsage,
  type Material,
  readMaterial,
  type SourceFields,
  sourceFields,
  usageField,
} from "./_input/document.js";
import { cut } from "./_input/page.js";

const ARTICLES = 3;
/** Maximum characters of each source. */
const EXCERPT = 6000;
/** Maximum characters of the caller's own document. */
const DOCUMENT_EXCERPT = 12_000;

interface NumberedSource {
  title: string;
  /** Null for a file. */
  url: string | null;
  text: string;
  usage?: Material["usage"];
}

export const aiResearch = /* @__PURE__ */ defineCapability({
  id: "ai.research",
  method: "POST",
  summary:
    "A short brief on a topic with key facts, grounded only in an encyclopedia, the pages that you name and a document of yours.",
  keywords: [
    "background",
    "overview",
    "fact sheet",
    "wikipedia",
    "briefing",
    "learn about",
    "cited summary",
    "sources",
  ],
  price: "0.042",
  billing: "upto",
  provider: aiGateway,
  origins: [aiGateway, wikipedia],
  timeoutMs: 90_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      query: text(2, 400).describe("The topic or question"),
      urls: z
        .array(uri(2048))
        .max(5)
        .default([])
        .describe("Pages and documents to read in addition to the encyclopedia"),
      ...sourceFields(),
    }),
  output: one(() =>
    z.object({
      query: z.string(),
      summary: z.string().describe("2 to 4 sentences"),
      keyFacts: z.array(z.string()),
      sources: z
        .array(z.object({ title: z.string(), url: z.string().nullable() }))
        .describe("Those that the brief rests on"),
      usage: usageField(),
    }),
  ),
  example: { query: "How do vending machines detect coins?" },
  async check({ urls, query: _, ...own }, ctx) {
    if (hasSource(own)) await checkSource(own, ctx);
    for (const [index, url] of urls.entries()) assertAllowedUrl(ctx, url, { field: `urls.${index}` });
  },
  async run({ query, urls, ...own }, ctx) {
    const materials = await gather(query, urls, own, ctx);
    if (materials.length === 0)
      return {
        item: { query, summary: "No source was found on this topic.", keyFacts: [], sources: [] },
        source: sourceOf(wikipedia),
      };
    const numbered = materials.map(({ title, text }, index) => `[${index + 1}] ${title}\n${text}`);
    const answered = await askModel(
      {
        task: "strong",
        instructions:
          "Write a brief on the topic from the numbered sources and from nothing else. Each key fact names the number " +
          "of the source that states it. If the sources do not tell, say so in the summary.",
        data: `Topic: ${query}\n\n${numbered.join("\n\n")}`,
        form: formOf("brief", brief()),
        maxTokens: 2000,
      },
      ctx,
    );
    const { summary, keyFacts, usedSources } = answered.value;
    const known = (number: number) => Number.isInteger(number) && materials[number - 1] !== undefined;
    const facts = keyFacts.filter(({ fact, source }) => fact && known(source));
    const used = new Set([...usedSources.filter(known), ...facts.map(({ source }) => source)]);
    return {
      item: {
        query,
        summary,
        keyFacts: facts.map(({ fact }) => fact),
        sources: materials.flatMap(({ title, url }, index) => (used.has(index + 1) ? [{ title, url }] : [])),
        ...usageOfAll(materials),
      },
      source: withEncyclopedia(answered.source),
    };
  },
});

/** Text that a model wrote from articles is also subject to the articles' licence. */
const withEncyclopedia = (model: Source): Source => ({
  ...sourceOf(wikipedia),
  provider: `${wikipedia.name}, ${model.provider}`,
  url: model.url,
  license: `${wikipedia.license} (encyclopedia); generated content`,
});

const hasSource = (own: SourceFields): boolean => Object.values(own).some((value) => value !== undefined);

/** Savings of the documents among the sources. */
function usageOfAll(materials: readonly NumberedSource[]): { usage?: { document: DocumentUsage } } {
  const [first, ...more] = materials.flatMap(({ usage }) => (usage ? [usage.document] : []));
  if (!first) return {};
  const sum = more.reduce(
    (all, one) => ({
      pages: all.pages === null && one.pages === null ? null : (all.pages ?? 0) + (one.pages ?? 0),
      textLayer: all.textLayer || one.textLayer,
      tokensSaved: all.tokensSaved + one.tokensSaved,
    }),
    first,
  );
  return { usage: { document: sum } };
}

/** The caller's document, readable articles of the encyclopedia, and the named pages. Rejects if nothing could be read. */
async function gather(
  query: string,
  urls: readonly string[],
  own: SourceFields,
  ctx: Context,
): Promise<NumberedSource[]> {
  const read = async (source: SourceFields, field: string, enough: number): Promise<NumberedSource[]> => {
    const { title, text, finalUrl, usage } = await readMaterial(source, ctx, { field, enough });
    const name = plainProse(title) || finalUrl || "The caller's document";
    return text ? [{ title: name, url: finalUrl, text: cut(text, enough), ...(usage ? { usage } : {}) }] : [];
  };
  // A document that cannot be read is the caller's mistake, and not a source that is down.
  const mine = hasSource(own) ? await read(own, "url", DOCUMENT_EXCERPT) : [];
  const articles = async () =>
    (await findArticles(query, ARTICLES, ctx)).map((article) => ({ ...article, text: cut(article.text, EXCERPT) }));
  const reads = await Promise.allSettled([
    articles(),
    ...urls.map((url, index) => read({ url }, `urls.${index}`, EXCERPT)),
  ]);
  for (const read of reads) {
    if (read.status === "fulfilled") continue;
    // A forbidden URL is the caller's mistake, and not a source that is down.
    if (CapabilityError.is(read.reason) && read.reason.code === "URL_NOT_ALLOWED") throw read.reason;
    ctx.logger.info({ error: read.reason }, "a source of ai.research could not be read");
  }
  const materials = [...mine, ...reads.flatMap((read) => (read.status === "fulfilled" ? read.value : []))];
  const failed = reads.find((read) => read.status === "rejected");
  if (materials.length === 0 && failed) throw failed.reason;
  return materials;
}

const brief = () =>
  z.object({
    summary: z.string().transform(plainProse).pipe(z.string().min(1)).describe("2 to 4 sentences"),
    keyFacts: z
      .array(z.object({ fact: z.string().transform(plainProse), source: z.number().describe("Number of its source") }))
      .describe("3 to 10 facts"),
    usedSources: z.array(z.number()).describe("Numbers of the sources that the summary rests on"),
  });
