/** The call of a form as code to take along. */
import { type Endpoint, requestOf, settings, trialHeader } from "./api.js";

export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

export function sampleOf(language: Language, endpoint: Endpoint, input: Record<string, unknown>): string {
  const [path] = requestOf(endpoint, input);
  const url = location.origin + path;
  return SAMPLES[language]({ ...endpoint, url, json: JSON.stringify(input, null, 2) });
}

interface Call extends Endpoint {
  url: string;
  json: string;
}

const isPost = ({ method }: Call) => method === "POST";

const SAMPLES: Record<Language, (call: Call) => string> = {
  curl: (call) =>
    [
      `curl -i ${shellQuoted(call.url)}`,
      ...(settings.trialsPerHour > 0 ? [`  -H '${trialHeader()}: 1'`] : []),
      ...(isPost(call) ? ["  -H 'content-type: application/json'", `  -d ${shellQuoted(call.json)}`] : []),
    ].join(" \\\n"),

  TypeScript(call) {
    const init = isPost(call)
      ? `, {\n  method: "POST",\n  headers: { "content-type": "application/json" },\n  body: JSON.stringify(${call.json.replaceAll("\n", "\n  ")}),\n}`
      : "";
    const read = "\nif (!response.ok) throw new Error(await response.text());\nconsole.log(await response.json());";
    if (!settings.paid) return `const response = await fetch(${JSON.stringify(call.url)}${init});${read}`;
    return `// npm install @x402/fetch @x402/evm viem
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.WALLET_KEY as \`0x\${string}\`);
const client = new x402Client()
  .register("eip155:*", new ExactEvmScheme(account))
  .setSpendControls({ maxAmountPerPayment: "$${call.price.usd ?? call.price.minUsd}" });
const pay = wrapFetchWithPayment(fetch, client);

const response = await pay(${JSON.stringify(call.url)}${init});${read}`;
  },

  Python(call) {
    const trial = settings.trialsPerHour > 0 ? `{"${trialHeader()}": "1"}` : "{}";
    const body = isPost(call) ? `\n    json=json.loads(${pythonText(call.json)}),` : "";
    return `# pip install requests
${isPost(call) ? "import json\n\n" : ""}import requests

response = requests.${call.method.toLowerCase()}(
    ${JSON.stringify(call.url)},
    headers=${trial},${body}
)
if response.status_code == 402:  # the price, and how to pay: sign one of these
    print(response.json()["accepts"])
response.raise_for_status()
print(response.json())`;
  },
};

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** JSON's escapes are Python's, too. */
const pythonText = (text: string) => JSON.stringify(text);
