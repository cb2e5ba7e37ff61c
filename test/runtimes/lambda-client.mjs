/** In a fresh process, beside nothing but a bundle: answers requests from standard input through the bundle's handler. */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { handler } = await import(pathToFileURL(process.argv[2]).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { method, url, headers, body } = JSON.parse(line);
  const { pathname, search, host } = new URL(url);
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { ...headers, host, "x-forwarded-proto": "https" },
    requestContext: { domainName: host, stage: "$default", http: { method, path: pathname, sourceIp: "203.0.113.9" } },
    body,
    isBase64Encoded: false,
  };
  console.log(JSON.stringify({ result: await handler(event, { getRemainingTimeInMillis: () => 30_000 }) }));
}
