/** A web site on loopback over TLS, which the test's browser trusts by the certificate's key. */
import { createHash, X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { CERTIFICATE, KEY } from "./site-certificate.mjs";

/** What makes Chromium trust the sites, and start as root: the only two things that tests do to it. */
export const BROWSER_ARGS = `--no-sandbox --ignore-certificate-errors-spki-list=${keyHash()}`;

function keyHash(): string {
  const key = new X509Certificate(CERTIFICATE).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

export interface Site {
  port: number;
  /** Requests as `host path`, in order. */
  seen: string[];
  close(): Promise<void>;
}

export async function openSite(
  listener: RequestListener,
  options: { key?: string; cert?: string } = {},
): Promise<Site> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ key: KEY, cert: CERTIFICATE, ...options }, (request, response) => {
    seen.push(`${request.headers.host?.replace(/:\d+$/, "")} ${request.url}`);
    listener(request, response);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
