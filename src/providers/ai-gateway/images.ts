/** Pictures from a gateway: two interfaces, and vendors with different formats of a picture. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { IMAGE_QUALITY, takesQuality } from "../../engines/models/image-price.js";
import type { Attos } from "../../engines/models/price.js";
import { CapabilityError, invalid } from "../../errors.js";
import { assertSafeImage } from "../../upstream/input/image.js";
import { fetchOutbound } from "../../upstream/outbound/outbound.js";
import { complete } from "./chat.js";
import { askGateway, GatewayRefusal } from "./client.js";
import { gatewayOf } from "./provider.js";
import type { ModelSpending } from "./spending.js";

export interface ImageRequest {
  /** Of the model. */
  id: string;
  /** Whether it is a language model that also draws. */
  byChat: boolean;
  prompt: string;
  n: number;
  size: string | undefined;
  /** Listed price of one picture; undefined if there is none. */
  cost: Attos | undefined;
  /** Told what the pictures cost, and what an answer in words does. */
  spending: ModelSpending;
}

export interface Images {
  /** Seconds since 1970; undefined if the vendor omits it. */
  created: number | undefined;
  /** Of each picture. */
  base64: string[];
}

const TIMEOUT_MS = 110_000;
const MAX_BYTES = 20 * 1024 * 1024;

const reply = lazySchema(() =>
  z.object({
    created: z.number().int().nullish(),
    data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })),
  }),
);

/**
 * Rejects as `askGateway` does, with UPSTREAM_SCHEMA for an answer in another form, and with INVALID_INPUT where a model
 * answers without a picture, since that is its answer to this prompt.
 */
export async function paint(request: ImageRequest, ctx: Context): Promise<Images> {
  return request.byChat ? paintByChat(request, ctx) : paintByImages(request, ctx);
}

async function paintByImages(request: ImageRequest, ctx: Context): Promise<Images> {
  // OpenAI's models answer in base64 and refuse the parameter; others send an address without it.
  const asks = !request.id.startsWith("openai/");
  const raw = await ask(request, asks, ctx).catch((error: unknown) => {
    if (!asks || !(error instanceof GatewayRefusal) || !/response_format/.test(`${error.param} ${error.message}`))
      throw error;
    return ask(request, false, ctx);
  });
  const parsed = reply().safeParse(raw);
  if (!parsed.success) throw unknownForm(parsed.error);
  const pictures = parsed.data.data.filter(({ b64_json: inline, url }) => inline || url);
  if (pictures.length === 0) throw noPicture();
  if (request.cost !== undefined) request.spending.addCost(request.cost * BigInt(pictures.length));
  const base64 = await Promise.all(pictures.map(({ b64_json: inline, url }) => inline || download(url ?? "", ctx)));
  return { created: parsed.data.created || undefined, base64 };
}

function ask({ id, prompt, n, size }: ImageRequest, inBase64: boolean, ctx: Context): Promise<unknown> {
  const body = {
    model: id,
    prompt,
    n,
    ...(size ? { size } : {}),
    ...(takesQuality(id) ? { quality: IMAGE_QUALITY } : {}),
    ...(inBase64 ? { response_format: "b64_json" } : {}),
  };
  // Only this gateway omits the second half of the path.
  const path = /(?:^|\.)openrouter\.ai$/.test(new URL(gatewayOf(ctx).baseUrl).hostname)
    ? "/images"
    : "/images/generations";
  return askGateway(ctx, (client, options) => client.post(path, { body, ...options }), { timeoutMs: TIMEOUT_MS });
}

/** Language models that draw do so as part of an answer, one picture per request. */
async function paintByChat({ id, prompt, n, cost, spending }: ImageRequest, ctx: Context): Promise<Images> {
  const one = async () => {
    const request = { model: id, messages: [{ role: "user" as const, content: prompt }], maxTokens: 8192 };
    const completion = await complete({ ...request, modalities: ["text", "image"], timeoutMs: TIMEOUT_MS }, ctx);
    if (completion.usage || cost === undefined) await spending.add(id, completion);
    else spending.addCost(cost);
    const { created, choices } = completion;
    const url = choices[0]?.message.images?.[0]?.image_url.url ?? "";
    const inline = /^data:image\/[a-z+]+;base64,(.+)$/s.exec(url)?.[1];
    if (inline) return { created, inline };
    if (/^https:/.test(url)) return { created, inline: await download(url, ctx) };
    throw noPicture();
  };
  const painted = await Promise.all(Array.from({ length: n }, one));
  return { created: painted[0]?.created || undefined, base64: painted.map(({ inline }) => inline) };
}

/** The address comes from a vendor, so it is checked like a caller's URL. */
async function download(url: string, ctx: Context): Promise<string> {
  const { bytes } = await fetchOutbound(ctx, url, { maxBytes: MAX_BYTES, httpsOnly: true, field: "url" }).catch(
    (cause) => {
      throw new CapabilityError("UPSTREAM_ERROR", "The picture could not be fetched from its vendor.", { cause });
    },
  );
  try {
    assertSafeImage(bytes, "url");
  } catch {
    throw unknownForm();
  }
  return Buffer.from(bytes).toString("base64");
}

const noPicture = () => invalid("prompt", "was answered without a picture; say what a picture shows");

const unknownForm = (cause?: unknown) =>
  new CapabilityError("UPSTREAM_SCHEMA", "The AI gateway answered in an unknown format.", { cause });
