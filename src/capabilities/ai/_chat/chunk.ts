/** A chunk of a chat completion in the common format; in a file whose declarations need no other package. */
export interface StandardChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: "assistant"; content?: string; refusal?: string };
    finish_reason: string | null;
  }[];
  /** Of the last chunk alone. */
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}
