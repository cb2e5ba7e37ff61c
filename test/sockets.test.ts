/** SSRF-13: who may open connections at all, and who may do it to hosts that callers name. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

const sources = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(pathFromRoot(`src/${file}`), "utf8") }));

/** Files of src in which something stands, comments left out. */
const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")))
    .map(({ file }) => file)
    .sort();

test("SSRF-13 only the guard loads what opens sockets", () => {
  const network = /(?:from|import\()\s*"(?:undici|node:(?:net|http|https|http2|tls|dgram|dns|dns\/promises))"/;
  const types = /import type [^;]*"node:(?:net|http)"/;
  const users = filesWith(network).filter((file) => {
    const text = sources.find((source) => source.file === file)?.text ?? "";
    return network.test(text.replace(types, ""));
  });
  // Adapters serve, and open nothing; the texts of projects that `init` writes run elsewhere.
  expect(users.filter((file) => !/^(adapters|cli\/project)\//.test(file))).toEqual([
    "engines/json/schema/formats.ts", // asks for the kind of an address alone
    "engines/spf/address.ts", // asks for the kind of an address alone
    "gateway/judge.ts", // asks for the kind of an address alone
    "handler/composition/metrics-port.ts", // serves the host's measurements, and opens nothing
    "lib/http/http-send.ts", // to the host's facilitators and nodes
    "lib/http/private-network.ts", // compares addresses alone
    "lib/packages/packages.ts", // hands undici to the guard, where the platform has it
    "state/database/embedded/folder-lock.ts", // a socket in a folder of the host's own
    "upstream/dns/host.ts", // asks the host's name server, for names that dns.ts judged
    "upstream/outbound/addresses.ts",
    "upstream/outbound/allowed-url.ts",
    "upstream/outbound/egress-proxy.ts",
    "upstream/outbound/hop.ts",
  ]);
});

test("SSRF-13 only clients of named upstreams call fetch", () => {
  // The client, the command line and the page in a browser are what callers run, not what serves them.
  const serving = filesWith(/\bfetch\(/).filter((file) => !/^(?:client|cli|docs)\//.test(file));
  expect(serving).toEqual([
    "capability/context.ts", // hands the global one on
    "drift/observe.ts", // around that of providers
    "drift/service-check.ts", // around that of providers
    "engines/pdf/page/library.ts", // a name of PDF.js's interface, which reads files here
    "gateway/exchange.ts", // to the origins of the host's gateway
    "gateway/file.ts", // to documents that the host's file names
    "handler/composition/open-webhooks.ts", // hands the global one on
    "host-webhooks/webhooks.ts", // to addresses of the host's options
    "lib/http/http-send.ts", // to the host's facilitators and nodes
    "mcp/server.ts", // a method of the protocol's SDK, which answers a request
    "payment/edge-keys.ts", // the host's, to its edge's keys
    "payment/edge-payments.ts", // hands the global one on
    "providers/ai-gateway/client.ts", // to the host's gateway
    "testing/buyer.ts", // to a shop on this machine
    "upstream/bulk/bulk.ts", // to publishers
    "upstream/dns/host.ts", // to a name server over HTTPS, where there is no other
    "upstream/exchange.ts", // to providers
    "upstream/outbound/hop.ts", // of the guard
  ]);
});

test("SSRF-13 only the room of the browser loads one", () => {
  expect(filesWith(/(?:import\(|from )"puppeteer-core"/)).toEqual([
    "engines/browser/chromium.ts",
    "engines/browser/screens.ts",
    "engines/browser/shot.ts",
    "lib/packages/packages.ts", // hands it to that room, where the platform has one
  ]);
});
