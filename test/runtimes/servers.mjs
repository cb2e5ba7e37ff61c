/** Programs that are asked: servers over HTTP, and Lambda bundles over standard input. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const START_MS = 60_000;

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Starts a server, lets `use` ask it once it answers, and ends it. What it printed is told where `use` fails. */
export async function withServer({ command, args, cwd, env, port }, use) {
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env, PORT: String(port) }, detached: true });
  const { printed, ended } = watch(child);
  try {
    await untilItAnswers(`${origin}/api/search/endpoints?q=unit`, ended);
    return await use({ send: (request) => fetch(request), origin, printed });
  } catch (error) {
    throw new Error(`${error.message}\n${printed()}`, { cause: error });
  } finally {
    await end(child, ended);
  }
}

/** The same for a Lambda bundle, in a process of its own. */
export async function withLambda({ bundle, cwd, env }, use) {
  const client = new URL("lambda-client.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [client, bundle], { cwd, env: { ...process.env, ...env }, detached: true });
  const { printed, ended } = watch(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function send(request) {
    const { method, url } = request;
    const body = method === "POST" ? await request.text() : undefined;
    child.stdin.write(`${JSON.stringify({ method, url, headers: Object.fromEntries(request.headers), body })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("The bundle ended.");
      if (!value.startsWith('{"result"')) continue;
      const { statusCode, headers, body: text, isBase64Encoded } = JSON.parse(value).result;
      return new Response(Buffer.from(text, isBase64Encoded ? "base64" : "utf8"), { status: statusCode, headers });
    }
  }
  try {
    return await use({ send, origin: "https://abc.lambda-url.us-east-1.on.aws" });
  } catch (error) {
    throw new Error(`${error.message}\n${printed()}`, { cause: error });
  } finally {
    await end(child, ended);
  }
}

function watch(child) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  return { printed: () => text.slice(-4000), ended };
}

async function untilItAnswers(url, ended) {
  const giveUpAt = performance.now() + START_MS;
  let over = false;
  ended.then(() => (over = true));
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    if (over) throw new Error("It ended before it answered.");
    if (performance.now() > giveUpAt) throw new Error(`It did not answer: ${response?.status ?? "no connection"}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** With all processes that it started. */
async function end(child, ended) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Gone already.
  }
  await ended;
}
