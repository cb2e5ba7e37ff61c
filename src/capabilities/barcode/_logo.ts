/** The logo in the middle of a QR code: checked by its bytes, whatever its source, before it is decoded. */
import type { Context } from "../../capability/types.js";
import type { LogoImage } from "../../engines/barcode/render.js";
import { invalid } from "../../errors.js";
import { assertSafeImage } from "../../upstream/input/image.js";
import { assertAllowedUrl } from "../../upstream/outbound/allowed-url.js";
import { fetchOutbound } from "../../upstream/outbound/outbound.js";

const FIELD = "style.logo.source";
const MAX_BYTES = 1_048_576;

/** A logo is drawn at most 1638 pixels wide; more would only take memory: four bytes a pixel, in each thread. */
export const MAX_LOGO_PIXELS = 4_000_000;

/** Refuses a source by its text alone; without the network. */
export function assertLogoSource(source: string, ctx: Context): void {
  if (isDataUri(source)) fromDataUri(source);
  else if (/^https:/i.test(source)) assertAllowedUrl(ctx, source, { httpsOnly: true, field: FIELD });
  else throw invalid(FIELD, "must be an https URL or a data URI");
}

/** The checked bytes of a logo. Throws INVALID_INPUT, URL_NOT_ALLOWED, UPSTREAM_ERROR or UPSTREAM_TIMEOUT. */
export async function loadLogo(source: string, ctx: Context): Promise<LogoImage> {
  if (isDataUri(source)) return fromDataUri(source);
  const options = {
    maxBytes: MAX_BYTES,
    httpsOnly: true,
    field: FIELD,
    accept: "image/png,image/jpeg,image/webp,image/gif",
  };
  const { bytes } = await fetchOutbound(ctx, source, options);
  return checked(bytes);
}

function isDataUri(source: string): boolean {
  return /^data:/i.test(source);
}

function fromDataUri(source: string): LogoImage {
  const comma = source.indexOf(",");
  const base64 = source.slice(comma + 1);
  if (!/^data:image\/[a-z0-9.+-]+;base64$/i.test(source.slice(0, Math.max(comma, 0))))
    throw invalid(FIELD, "must be a data URI of an image in base64: data:image/png;base64,...");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid(FIELD, "is not valid base64");
  return checked(Buffer.from(base64, "base64"));
}

function checked(bytes: Uint8Array): LogoImage {
  if (bytes.length > MAX_BYTES) throw invalid(FIELD, "must be at most 1 MB large");
  const { mimeType, width, height } = assertSafeImage(bytes, FIELD);
  if (width * height > MAX_LOGO_PIXELS)
    throw invalid(FIELD, `is ${width} x ${height} pixels; at most 4 megapixels are accepted, such as 2000 x 2000`);
  return { mimeType, width, height, bytes };
}
