import { type ServerResponse, STATUS_CODES } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";

/** A status with its name, as in `402 Payment Required`. */
export const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? "Unknown";

/** Sends an answer by Node. A Response has no reason phrase unless somebody gave it one, and an empty one looks broken. */
export async function send(res: ServerResponse, response: Response): Promise<void> {
  if (response.statusText === "")
    Object.defineProperty(response, "statusText", { value: reasonPhrase(response.status) });
  await sendResponse(res, response);
}
