/** A web site on loopback over TLS, which the test's browser trusts by the certificate's key. */
import { createHash, X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** Made for these tests and good for nothing else. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAKTAm8KFLJQfY9eo
3BCXjwBiTWNLdFViwdBx2i5uxEuhRANCAASDEa1mKH8rQvYJVNEEqH+9UFfoDPIO
cuP01V7rXJTYOTA0d3y3bZU98inMLP+fuVy3PwDWOPLVWulRQ2j7R7JY
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUK+fViJSYbSafNf2/YuEm+xp/CuQwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMcGFnZS5leGFtcGxlMCAXDTI2MTEyMTIzMjQxMloYDzIxMjYx
MDI4MjMyNDEyWjAXMRUwEwYDVQQDDAxwYWdlLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASDEa1mKH8rQvYJVNEEqH+9UFfoDPIOcuP01V7rXJTYOTA0
d3y3bZU98inMLP+fuVy3PwDWOPLVWulRQ2j7R7JYo28wbTAdBgNVHQ4EFgQUIV5V
7BYSxz14hmwZBUUFuGIzUpkwHwYDVR0jBBgwFoAUIV5V7BYSxz14hmwZBUUFuGIz
UpkwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARggkqLmV4YW1wbGWHBH8AAAEw
CgYIKoZIzj0EAwIDSAAwRQIgQde9GSboLf+5cHGrQ6/R7tyuPdFSHfdIL1ZhYwuk
03oCIQCjB+TDRpqeuTtpCywpeS4qUoKIAKUelhsMsNNLdpBWuw==
-----END CERTIFICATE-----
`;

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
