/** Callers' pictures: in base64 or at an address, checked before any decoder sees them. */
import { z } from "zod";
import { uri } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { assertSafeImage, type ImageInfo } from "./image.js";

/** Largest picture in bytes. */
const MAX_PICTURE_BYTES = 3_000_000;
const MAX_BASE64 = Math.ceil(MAX_PICTURE_BYTES / 3) * 4 + 100;

const outbound = /* @__PURE__ */ lazy(() => import("../outbound/outbound.js"));

export type PictureType = ImageInfo["type"];

/** A picture of `types` in base64, also as a data URI. */
export const pictureField = (types: readonly PictureType[]) =>
  z
    .string()
    .min(1, { error: "must not be empty" })
    .max(MAX_BASE64, { error: "must be at most 3 MB" })
    .describe(`The picture in base64: ${list(types)}, at most 3 MB and 25 megapixels`);

export const pictureUrl = () => uri(2048).describe("Its address instead, http or https; at most 3 MB");

const list = (types: readonly PictureType[]): string => types.map((type) => NAMES[type]).join(", ");
const NAMES: Record<PictureType, string> = { png: "PNG", jpeg: "JPEG", gif: "GIF", webp: "WebP" };

/** Reads base64 of either alphabet, with or without padding and line breaks. Throws INVALID_INPUT naming `field`. */
export function pictureBytes(picture: string, field: string, types: readonly PictureType[]): Uint8Array {
  const start = /^data:[^,]{0,200};base64,/i.exec(picture)?.[0].length ?? 0;
  const digits = picture.slice(start).replace(/[\s=]/g, "");
  if (digits === "") throw invalid(field, "must not be empty");
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(digits)) throw invalid(field, "must be base64");
  return safe(Buffer.from(digits, "base64"), field, types);
}

/** Refuses an address that may not be fetched. Throws URL_NOT_ALLOWED or INVALID_INPUT. */
export async function assertPictureUrl(url: string, field: string, ctx: Pick<Context, "outbound">): Promise<void> {
  (await outbound()).assertAllowedUrl(ctx, url, { field });
}

/** Rejects with URL_NOT_ALLOWED, RESULT_TOO_LARGE, UPSTREAM_* or INVALID_INPUT. */
export async function fetchPicture(
  url: string,
  field: string,
  types: readonly PictureType[],
  ctx: Context,
): Promise<Uint8Array> {
  const accept = types.map((type) => `image/${type}`).join(",");
  const { bytes } = await (await outbound()).fetchOutbound(ctx, url, { maxBytes: MAX_PICTURE_BYTES, accept, field });
  return safe(bytes, field, types);
}

function safe(bytes: Uint8Array, field: string, types: readonly PictureType[]): Uint8Array {
  if (bytes.length > MAX_PICTURE_BYTES) throw invalid(field, "must be at most 3 MB");
  const { type } = assertSafeImage(bytes, field);
  if (!types.includes(type)) throw invalid(field, `must be one of ${list(types)}; it is ${NAMES[type]}`);
  return bytes;
}
