/** Somebody who receives callbacks, on loopback, and answers by a script. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (call: ReceivedCall, response: ServerResponse) => void;

export async function openReceiver(answer: Answer = (_, response) => void response.writeHead(204).end()) {
  const calls: ReceivedCall[] = [];
  const state = { answer };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const call = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() };
    calls.push(call);
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
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
