/** Refusals of the gateway that the caller's own input caused. */
import { invalid } from "../../../errors.js";
import { GatewayRefusal } from "../../../providers/ai-gateway/client.js";

/** A refusal as a 400 in our own words, because the gateway's text may quote keys and user ids. */
export function blameCaller(error: unknown): never {
  if (!(error instanceof GatewayRefusal)) throw error;
  const { status, code, param, message } = error;
  if (status === 404 || code === "model_not_found")
    throw invalid("model", "is not served by the gateway at the moment");
  if (/moderation|content_policy|safety/i.test(`${code} ${message}`))
    throw invalid("prompt", "was refused by the model's vendor");
  if (/context|too long|maximum.*tokens/i.test(message))
    throw invalid("messages", "are longer than the model can read");
  if (/response_format|json_schema/.test(`${param} ${message}`))
    throw invalid("response_format", "was refused by the model; ask another model, or for text");
  const known =
    /^(?:model|messages|max_tokens|temperature|top_p|stop|response_format|prompt|n|size)\b/.exec(param)?.[0] ?? "";
  throw invalid(known, "was refused by the model; check the values against what this model takes");
}
