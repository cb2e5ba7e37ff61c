// The port of the server, tried before anything is started.
import { createServer } from "node:net";

const HOST = "127.0.0.1";

/** @param {string} [text] */
export function readPort(text = "8402") {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
  return port;
}

/**
 * Rejects where somebody listens there already.
 * @param {number} port
 * @returns {Promise<void>}
 */
export function assertFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, HOST, () => server.close(() => resolve()));
  });
}

/**
 * The way out, for the error of a port that is taken.
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function takenPort(error) {
  if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) return undefined;
  return `Port ${process.env.PORT ?? 8402} is taken. Choose another one: PORT=8403 npm start`;
}
