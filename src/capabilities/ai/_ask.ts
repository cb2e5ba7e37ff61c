/** Asks one of the host's models for a structured answer, reports its cost, and names the source. */
import type { Source } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { type AnswerForm, answer } from "../../providers/ai-gateway/answer.js";
import { gatewayOf, type ModelTask, modelFor } from "../../providers/ai-gateway/provider.js";
import { trackSpending } from "../../providers/ai-gateway/spending.js";

export interface Ask<T> {
  /** Kind of work, which selects the host's model. */
  task: ModelTask;
  /** The instruction, in our own words. */
  instructions: string;
  /** The caller's text, or that of a page. */
  data: string;
  /** Pictures as data URLs. */
  images?: readonly string[];
  form: AnswerForm<T>;
  maxTokens: number;
}

/** Rejects with LLM_BAD_OUTPUT or UPSTREAM_*. The cost of the model is reported to the meter. */
export async function askModel<T>(ask: Ask<T>, ctx: Context): Promise<{ value: T; source: Source }> {
  const model = modelFor(ask.task, ctx);
  const spending = trackSpending(ctx);
  const { instructions, data, images, form, maxTokens } = ask;
  const question = { model, task: instructions, data, form, maxTokens, spending, ...(images ? { images } : {}) };
  const value = await answer(question, ctx);
  spending.report();
  return { value, source: sourceOfModel(model, ctx) };
}

/** Results name the model that wrote them. */
export function sourceOfModel(model: string, ctx: Context): Source {
  const { name, url, license } = gatewayOf(ctx);
  return { provider: `${name} (${model})`, url, license };
}
