// Runs one snippet of the README as it stands: `node pasted.mjs file`. Addresses of the internet lead to stand-ins on this
// machine, a port that it names is replaced by a free one, and what it exports for a platform is called once.
import { Server } from "node:net";
import { pathToFileURL } from "node:url";

/** @type {Record<string, string>} what is asked, by its beginning, and who answers instead */
const standIns = JSON.parse(process.env.STAND_INS ?? "{}");
const PROBE = "https://shop.example/api/convert/unit?value=1&from=kg&to=lb";
const tell = (/** @type {object} */ message) => process.send?.(message);

const { fetch } = globalThis;
const { listen } = Server.prototype;
Object.assign(globalThis, {
  fetch: (/** @type {RequestInfo} */ input, /** @type {RequestInit | undefined} */ init) => {
    const request = new Request(input, init);
    const asked = Object.keys(standIns).find((address) => request.url.startsWith(address));
    return fetch(asked ? new Request(request.url.replace(asked, String(standIns[asked])), request) : request);
  },
});
Object.assign(Server.prototype, {
  /** @this {Server} @param {unknown} place @param {...unknown} rest */
  listen(place, ...rest) {
    const free = typeof place === "object" ? { ...place, port: 0 } : 0;
    this.once("listening", () => tell({ port: Object(this.address()).port }));
    return Reflect.apply(listen, this, [free, ...rest]);
  },
});

const snippet = await import(pathToFileURL(String(process.argv[2])).href);
const answer = snippet.GET ?? snippet.default?.fetch;
if (answer) tell({ status: (await answer(new Request(PROBE))).status });
if (snippet.handler) {
  const { statusCode } = await snippet.handler(functionUrlEvent(new URL(PROBE)));
  // Between calls a function stands still, whatever connections it keeps.
  process.send?.({ status: statusCode }, () => process.exit());
}
// Whatever it left open is its own affair: only a listening server stays.
process.channel?.unref();

/** @param {URL} url */
function functionUrlEvent({ host, pathname, search }) {
  const http = { method: "GET", path: pathname, sourceIp: "192.0.2.1" };
  const requestContext = { domainName: host, http, stage: "$default" };
  return { version: "2.0", rawPath: pathname, rawQueryString: search.slice(1), headers: { host }, requestContext };
}
