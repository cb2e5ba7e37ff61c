/** An API in Python, sold for money that moves on a chain, to an official client. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readGateway } from "../../src/gateway/file.js";
import { type TestShop, testShop } from "../../src/testing/index.js";
import { coinslotHere } from "../support/cli.js";
import { announceSkip } from "../support/server.js";

/** Counts words, adds numbers, and streams; it knows nothing of payments. */
const ORIGIN = `
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def answer(self, status, value, type="application/json"):
        body = json.dumps(value).encode() if type == "application/json" else value
        self.send_response(status)
        self.send_header("content-type", type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        url = urlsplit(self.path)
        if self.headers.get("x-key") != "a-key-of-the-host":
            return self.answer(401, {"detail": "no key"})
        if url.path.startswith("/words/"):
            word = unquote(url.path[len("/words/"):])
            return self.answer(200, {"word": word, "letters": len(word), "tags": parse_qs(url.query).get("tag", [])})
        if url.path == "/stream":
            return self.answer(200, b"data: 1\\n\\ndata: 2\\n\\n", "text/event-stream")
        self.answer(404, {"detail": "nothing here"})
    def do_POST(self):
        given = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if not given["numbers"]:
            return self.answer(422, {"detail": "nothing to add"})
        self.answer(201, {"sum": sum(given["numbers"]), "key": self.headers.get("idempotency-key")})

server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
print(server.server_address[1], flush=True)
server.serve_forever()
`;

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) announceSkip("an origin in Python", "no python3 on this machine");
const inPython = it.skipIf(!hasPython);

let folder: string;
let file: string;
let shop: TestShop;
let stopOrigin = async () => {};

beforeAll(async () => {
  if (!hasPython) return;
  folder = await mkdtemp(join(tmpdir(), "gateway-python-"));
  await writeFile(join(folder, "origin.py"), ORIGIN);
  const child = spawn("python3", [join(folder, "origin.py")], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  stopOrigin = async () => {
    if (child.killed) return;
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  file = join(folder, "gateway.yaml");
  await writeFile(
    file,
    `
origin: http://127.0.0.1:${String(port).trim()}
group: words
credentials: { header: x-key, value: { env: WORDS_KEY } }
routes:
  - path: /words/{word}
    name: look-up
    price: "0.002"
    summary: Counts the letters of a word.
    input: { properties: { tag: { type: array, items: { type: string } } } }
  - method: POST
    path: /sums
    name: add
    price: "0.01"
    input: { properties: { numbers: { type: array, items: { type: number } } }, required: [numbers] }
  - { path: /stream, price: "0.001", name: stream, stream: true }
host: { trial: { perHour: 2 } }
`,
  );
  const { capabilities, host } = await readGateway(file);
  shop = (await testShop({
    ...host,
    capabilities,
    secrets: { WORDS_KEY: "a-key-of-the-host" },
  })) as unknown as TestShop;
});
afterAll(async () => {
  await shop?.close();
  await stopOrigin();
  if (folder) await rm(folder, { recursive: true, force: true });
});

inPython("GW-1 is paid for each answer of 2xx, and for no other", async () => {
  const found = await shop.buy("words.look-up", { word: "größer", tag: ["a", "b"] });
  expect([found.status, found.data]).toEqual([200, { word: "größer", letters: 6, tags: ["a", "b"] }]);
  const added = await shop.buy("words.add", { numbers: [1, 2.5] });
  expect([added.status, added.data]).toMatchObject([200, { sum: 3.5, key: expect.stringMatching(/^[\w-]{43}$/) }]);
  const refused = await shop.buy("words.add", { numbers: [] });
  expect([refused.status, refused.data]).toMatchObject([
    422,
    { code: "INVALID_INPUT", detail: expect.stringContaining("nothing to add") },
  ]);
  const stream = await shop.buy("words.stream");
  expect(stream.data).toEqual({ events: [1, 2] });
  expect(await shop.balanceOf(shop.treasury)).toBe("0.013");
});

inPython(
  "is described with its credentials and whether it answers by doctor, and refused with its fault by proxy",
  async () => {
    const { code, out } = await coinslotHere(["doctor", "--config", file]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/ok +words +http:\/\/127\.0\.0\.1:\d+ answers with 401; 3 routes/),
    ]);
    expect(out).toMatch(/missing +WORDS_KEY +needed for words/);
    expect(out).toContain("0 of 3 can be sold by coinslot proxy");
    await stopOrigin();
    const away = await coinslotHere(["doctor", "--config", file, "--json"]);
    expect([away.code, away.out]).toEqual([1, expect.stringContaining("cannot be reached: connect ECONNREFUSED")]);
    await writeFile(file, "origin: nowhere\n");
    expect(await coinslotHere(["proxy", file, "--free"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("proxied options.origin"),
    });
    expect(await coinslotHere(["proxy", "--free"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Name one file"),
    });
  },
);
