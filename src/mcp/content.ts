/** The parts of a tool's result, for JSON and for files. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

type Content = CallToolResult["content"][number];

export const textPart = (value: string) => ({ type: "text" as const, text: value });

export function jsonResult(body: string): Pick<CallToolResult, "content" | "structuredContent"> {
  const value: unknown = JSON.parse(body);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { content: [textPart(body)], ...(isObject ? { structuredContent: value as Record<string, unknown> } : {}) };
}

/** Models see these pictures as images; other files are resources. */
const SEEN_BY_MODELS = /^image\/(?:png|jpeg|gif|webp)$/;

/** A file; its address names it among others. */
export function fileContent(bytes: Buffer, { type, uri }: { type: string; uri: string }): Content {
  const data = () => bytes.toString("base64");
  if (SEEN_BY_MODELS.test(type)) return { type: "image", data: data(), mimeType: type };
  if (type.startsWith("audio/")) return { type: "audio", data: data(), mimeType: type };
  const isText = type.startsWith("text/") || type === "image/svg+xml";
  const file = isText ? { text: bytes.toString("utf8") } : { blob: data() };
  return { type: "resource", resource: { uri, mimeType: type, ...file } };
}

export const mediaType = (contentType: string): string => contentType.split(";")[0]?.trim() ?? "";
