/** A small reader of server-sent events, as the standard describes them. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

function parseEvents(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  let event = "message";
  let data: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "") {
      if (data.length > 0) events.push({ event, data: data.join("\n") });
      event = "message";
      data = [];
    } else if (line.startsWith("event: ")) event = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
    else if (!line.startsWith(":")) throw new Error(`not a line of an event stream: ${line}`);
  }
  return events;
}

/** What a stream said, by kind. */
export function readEvents(text: string) {
  const events = parseEvents(text);
  const messages = events.filter(({ event }) => event === "message").map(({ data }) => data);
  const one = (name: string) => {
    const found = events.filter(({ event }) => event === name);
    if (found.length > 1) throw new Error(`${found.length} events ${name}`);
    return found[0] && JSON.parse(found[0].data);
  };
  const chunks = messages.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data));
  // In OpenAI's format the last chunk, or the error, tells the facts.
  const facts = one("meta") ?? (one("error") ?? chunks.at(-1))?.usage;
  return {
    chunks,
    isWhole: messages.at(-1) === "[DONE]",
    error: one("error"),
    meta: facts?.meta,
    headers: facts?.headers,
    last: events.at(-1)?.event,
  };
}

/** Reads the events of a body until `enough` is true of its text, and returns the text. */
export async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, enough: (text: string) => boolean) {
  const decoder = new TextDecoder();
  let text = "";
  while (!enough(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}
