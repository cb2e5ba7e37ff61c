import { invalid } from "../../errors.js";

/** Work whose input has fields that came as JSON text. */
export const withTexts =
  <Input extends object, Output>(work: (input: Input) => Output) =>
  ({ texts = {}, ...input }: Input & { texts?: Record<string, string> }): Output => {
    const read = Object.entries(texts).map(([name, text]) => [name, parsed(text)]);
    return work({ ...input, ...Object.fromEntries(read) } as unknown as Input);
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("", "The body is not valid JSON in UTF-8.");
  }
}
