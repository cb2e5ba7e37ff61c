/** An endpoint as a text for a model that writes a program or makes the call. */
import { type Endpoint, hasTrials, priceText, type Reference, requestOf, settings, trialHeader } from "./shared/api.js";

export function promptOf(endpoint: Endpoint, reference: Reference, input: Record<string, unknown>): string {
  const { id, summary, method, path } = endpoint;
  const { answer, errors, timeoutSeconds } = reference;
  const [url] = requestOf(endpoint, input);
  const { origin } = location;
  return [
    `Use the endpoint ${id} of ${settings.name}: ${summary}`,
    "",
    `Request: ${method} ${origin}${method === "POST" ? path : url}`,
    ...(method === "POST" ? [`Body (application/json), for example: ${JSON.stringify(input)}`] : []),
    `Input as JSON Schema${method !== "POST" ? ", sent as query parameters" : ""}: ${JSON.stringify(reference.input)}`,
    `Answer: 200 with ${answer.types.join(" or ")}${answer.envelope ? ', {"data": …, "meta": {"costUsd": …, "requestId": …}}' : ""}.`,
    ...(answer.schema
      ? [`${answer.envelope ? "data" : "The JSON"} as JSON Schema: ${JSON.stringify(answer.schema)}`]
      : []),
    ...paying(endpoint),
    `Errors: application/problem+json with code, detail, issues and requestId; ${errors.map(({ status, codes }) => `${status} ${codes.join(" ")}`).join("; ")}.`,
    `Timeout: ${timeoutSeconds} seconds.`,
    `More: ${origin}${settings.base}/openapi.json?group=${endpoint.group} and ${origin}${settings.base}/llms.txt`,
  ].join("\n");
}

function paying(endpoint: Endpoint): string[] {
  if (endpoint.ownersOnly)
    return ["Free, for the owner of an account alone: send its key with the header Authorization: Bearer."];
  if (!settings.paid) return ["Every call is free."];
  return [
    `Price: ${priceText(endpoint.price)} a call, paid by x402 (https://x402.org): without payment the answer is 402 with a PAYMENT-REQUIRED header; sign one of its offers and repeat the same request with the header PAYMENT-SIGNATURE. Use a library (@x402/fetch, or x402 for Python), and set a limit for each payment.`,
    ...(hasTrials(endpoint)
      ? [`Free while you try: ${settings.trialsPerHour} an hour with the header ${trialHeader()}: 1.`]
      : []),
  ];
}
