/** Pages of the web, which callers send or whose address they give. */
import { text, uri } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { decodePage } from "../../lib/text/charset.js";

const outbound = /* @__PURE__ */ lazy(() => import("../../upstream/outbound/outbound.js"));

const MAX_PAGE_LENGTH = 2_000_000;
const MAX_PAGE_BYTES = 3_000_000;
/** Escapes make a text longer in JSON. */
export const MAX_PAGE_BODY_BYTES = 4_200_000;

export interface PageFields {
  html?: string | undefined;
  url?: string | undefined;
  baseUrl?: string | undefined;
}

export interface HtmlPage {
  html: string;
  /** The field that it came from, which refusals of its content name. */
  field: "html" | "url";
  baseUrl: string | undefined;
}

export const pageFields = () => ({
  html: text(1, MAX_PAGE_LENGTH).describe("The page as HTML, up to 2,000,000 characters; or url").optional(),
  url: uri(2048).describe("Address of the page, http or https, at most 3 MB; or html").optional(),
  baseUrl: uri(2048)
    .describe("Address that relative links are resolved against. Left out: that of the page")
    .optional(),
});

/** Refuses a page that is missing, or given twice, and an address that may not be fetched. */
export async function checkPage({ html, url }: PageFields, ctx: Pick<Context, "outbound">): Promise<void> {
  if (html === undefined && url === undefined) throw missing();
  if (html !== undefined && url !== undefined) throw invalid("url", "must be left out where html is given");
  if (url !== undefined) (await outbound()).assertAllowedUrl(ctx, url, { field: "url" });
}

function missing(): CapabilityError {
  const message = "is missing: send the page as html or url";
  return new CapabilityError("INVALID_INPUT", `html: ${message}`, {
    issues: ["html", "url"].map((path) => ({ path, message })),
  });
}

/** Rejects with URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_* for an address. */
export async function loadPage({ html, url, baseUrl }: PageFields, ctx: Context): Promise<HtmlPage> {
  if (url === undefined) return { html: html ?? "", field: "html", baseUrl };
  const { fetchOutbound } = await outbound();
  const accept = "text/html, application/xhtml+xml, */*;q=0.1";
  const { bytes, contentType } = await fetchOutbound(ctx, url, { maxBytes: MAX_PAGE_BYTES, accept, field: "url" });
  return { html: decodePage(bytes, contentType), field: "url", baseUrl: baseUrl ?? url };
}
