/** Fetches a caller's picture for a model, so that no vendor fetches a caller's address. */
import { z } from "zod";
import { uri } from "../../../capability/fields.js";
import type { Context } from "../../../capability/types.js";
import { assertSafeImage } from "../../../upstream/input/image.js";
import { assertAllowedUrl } from "../../../upstream/outbound/allowed-url.js";
import { fetchOutbound } from "../../../upstream/outbound/outbound.js";

const FIELD = "imageUrl";
const MAX_BYTES = 1024 * 1024;
const ACCEPT = "image/png,image/jpeg,image/webp,image/gif";

export const imageUrl = () => uri(2048).describe("HTTPS address of a JPEG, PNG, GIF or WebP picture of at most 1 MB");

/** Refuses an address by its text alone; without the network. */
export const assertImageUrl = (url: string, ctx: Context): void =>
  void assertAllowedUrl(ctx, url, { httpsOnly: true, field: FIELD });

/** The picture as a data URL. Rejects with INVALID_INPUT, URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_*. */
export async function loadPicture(url: string, ctx: Context): Promise<string> {
  const { bytes } = await fetchOutbound(ctx, url, {
    maxBytes: MAX_BYTES,
    httpsOnly: true,
    field: FIELD,
    accept: ACCEPT,
  });
  const { mimeType } = assertSafeImage(bytes, FIELD);
  return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** The caller's request beside the picture: it is part of the data, and not an instruction. */
export const wish = (instruction: string | undefined): string =>
  instruction ? `The caller asks for special attention to this:\n${instruction}` : "Look at the picture.";

export const texts = () => z.array(z.string()).transform((texts) => texts.map((text) => text.trim()).filter(Boolean));
