import { createServer } from "node:http";
import { aiCouncil } from "coinslot/capabilities/ai";
import { median, printBar, say } from "./measure.mjs";

export const title = "A council of models beside its slowest member, on a gateway that answers after fixed times";

const RUNS = 9;
/** How long each takes for an answer. The last is the dearest, and so the chairman. */
const MEMBERS = { "test/quick": 60, "test/usual": 120, "test/slow": 300, "test/chair": 100 };
const VERDICT = { consensus: "Four.", confidence: 0.9, agreement: "All say four.", dissent: [] };

const models = Object.keys(MEMBERS).map((id) => ({
  id,
  name: id,
  type: "language",
  context_window: 50_000,
  max_tokens: 8192,
  tags: [],
  pricing: { input: id === "test/chair" ? "0.00001" : "0.000001", output: "0.000005" },
}));

export async function run() {
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") return response.end(JSON.stringify({ object: "list", data: models }));
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { model, response_format: form } = JSON.parse(Buffer.concat(chunks).toString());
    const message = { role: "assistant", content: form ? JSON.stringify(VERDICT) : "Four." };
    const answer = {
      id: "a",
      object: "chat.completion",
      created: 1_790_000_000,
      model,
      choices: [{ index: 0, finish_reason: "stop", message }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    };
    setTimeout(() => response.end(JSON.stringify(answer)), MEMBERS[model]);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const secrets = { AI_GATEWAY_API_KEY: "k", AI_GATEWAY_BASE_URL: `http://127.0.0.1:${server.address().port}/v1` };
  const ask = () => aiCouncil({ prompt: "2 + 2?", models: Object.keys(MEMBERS) }, { secrets });
  await ask();
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
  }
  server.closeAllConnections();
  server.close();

  const slowest = Math.max(...Object.values(MEMBERS));
  // Members answer, read each other and answer again, and then the chairman sums up.
  const least = 2 * slowest + MEMBERS["test/chair"];
  const sum = 2 * Object.values(MEMBERS).reduce((total, ms) => total + ms, 0) + MEMBERS["test/chair"];
  say(
    `  ${Object.keys(MEMBERS).length} members in two rounds and a chairman: ${median(times).toFixed(0)} ms, ${(median(times) / slowest).toFixed(2)} times the slowest member's ${slowest} ms; one after the other they would take ${sum} ms.`,
  );
  return [
    printBar("a council's time beside the slowest member's two answers and the chairman's", median(times) / least, {
      atMost: 1.25,
    }),
  ];
}
