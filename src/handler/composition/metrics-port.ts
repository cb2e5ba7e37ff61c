/** A server for the page of measurements alone, so that it can stay inside a network whose door serves the rest. */
import { createServer } from "node:http";

export interface OpenPort {
  url: string;
  close(): Promise<void>;
}

export async function openPort(
  { port, address, path }: { port: number; address: string; path: string },
  answer: (authorization: string | null) => Promise<Response>,
): Promise<OpenPort> {
  const server = createServer((request, response) => {
    const send = (status: number, headers: Record<string, string>, body: string) => {
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
      response.end(body);
    };
    const [asked] = (request.url ?? "").split("?");
    if (asked !== path || request.method !== "GET") {
      send(404, {}, "Not found.\n");
      return;
    }
    answer(request.headers.authorization ?? null)
      .then(async (done) => send(done.status, Object.fromEntries(done.headers), await done.text()))
      .catch(() => send(500, {}, "The measurements could not be read.\n"));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  // The service decides how long its process lives.
  server.unref();
  const bound = server.address();
  const taken = typeof bound === "object" && bound ? bound.port : port;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${taken}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
