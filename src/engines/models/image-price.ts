/** Price of a picture: fixed, by size and quality, or by tokens. */
import { type Attos, type TokenPrice, tokenCost } from "./price.js";
import { promptTokens } from "./tokens.js";

/** Price of a picture of one size and quality; null stands for any. */
export interface ImagePrice {
  /** `1024x1024`. */
  size: string | null;
  quality: string | null;
  perImage: Attos;
}

/** Requested from models with qualities, because "auto" cannot be quoted. */
export const IMAGE_QUALITY = "medium";

/** Tokens of a picture of medium quality by size, as OpenAI publishes them for its gpt-image models. */
const MEDIUM_TOKENS: Record<string, number> = { "1024x1024": 1056, "1024x1536": 1584, "1536x1024": 1568 };
/** Upper bound for a size or a model that no table contains. */
const UNKNOWN_TOKENS = 8000;

/** Whether a model has a quality parameter; `IMAGE_QUALITY` is then requested. */
export const takesQuality = (model: string): boolean => /(?:^|\/)gpt-image-/.test(model);

/** Highest price of one picture; undefined if the model has no published price. */
export function costOfImage(
  model: { id: string; images: readonly ImagePrice[]; tokens?: TokenPrice },
  { size, prompt }: { size?: string | undefined; prompt: string },
): Attos | undefined {
  const ofSize = model.images.filter((row) => row.size === (size ?? null));
  const rows = ofSize.length > 0 ? ofSize : model.images.filter((row) => row.size === null);
  if (rows.length > 0) {
    const exact = rows.find(({ quality }) => quality === null || quality === IMAGE_QUALITY);
    return exact?.perImage ?? largest(rows.map(({ perImage }) => perImage));
  }
  // Only sizes have prices, and this is another one, so the highest price covers it.
  if (model.images.length > 0) return largest(model.images.map(({ perImage }) => perImage));
  if (!model.tokens) return undefined;
  const known = takesQuality(model.id) ? MEDIUM_TOKENS[size ?? "1024x1024"] : undefined;
  return tokenCost(model.tokens, promptTokens([prompt], model.id), known ?? UNKNOWN_TOKENS);
}

function largest(amounts: readonly Attos[]): Attos {
  let found: Attos = 0n;
  for (const amount of amounts) if (amount > found) found = amount;
  return found;
}
