/** Somebody who receives callbacks, on loopback, and answers by a script. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { callbackBodies, callbackBody } from "../../src/state/webhooks/bodies.js";

/** What is wrong with it, beside what its type is told to say. */
function unlikeDocumented(body: string): string[] {
  const { type } = JSON.parse(body) as { type: string };
  const told = callbackBodies()[type];
  if (!told) return [`nothing tells of ${type}`];
  const { error } = callbackBody(type, told).safeParse(JSON.parse(body));
  return error ? [`${type}: ${error.message}`] : [];
}

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (call: ReceivedCall, response: ServerResponse) => void;

export async function openReceiver(answer: Answer = (_, response) => void response.writeHead(204).end()) {
  const calls: ReceivedCall[] = [];
  const state = { answer, unlike: [] as string[] };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const call = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() };
    calls.push(call);
    state.unlike.push(...unlikeDocumented(call.body));
    state.answer(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Answers otherwise from now on. */
    turn(next: Answer) {
      state.answer = next;
    },
    /** Rejects where something came that the OpenAPI document does not tell of. */
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      if (state.unlike.length > 0) throw new Error(state.unlike.join("\n"));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
