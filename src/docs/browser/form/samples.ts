/** The call of a form as code samples. */
import { type Endpoint, hasTrials, isPaid, requestOf, settings, trialHeader } from "../shared/api.js";
import { fileNames } from "./pickers.js";

export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

export function sampleOf(language: Language, endpoint: Sold, input: Record<string, unknown>): string {
  const [path] = requestOf(endpoint, input);
  const url = location.origin + path;
  return SAMPLES[language]({ ...endpoint, url, json: JSON.stringify(input, named, 2) });
}

const MAX_BASE64 = 200;

/** A file that was picked stands as its name. */
function named(_: string, value: unknown): unknown {
  const name = typeof value === "string" && value.length > MAX_BASE64 ? fileNames.get(value) : undefined;
  return name === undefined ? value : `<the base64 of ${name}>`;
}

interface Sold extends Endpoint {
  answersJson: boolean;
}

interface Call extends Sold {
  url: string;
  json: string;
}

const isPost = ({ method }: Call) => method === "POST";

const SAMPLES: Record<Language, (call: Call) => string> = {
  curl: (call) =>
    [
      `curl ${call.answersJson ? "-i" : "-D - -o answer"} ${shellQuoted(call.url)}`,
      ...(hasTrials(call) ? [`  -H '${trialHeader()}: 1'`] : []),
      ...(call.method === "DELETE" ? ["  -X DELETE"] : []),
      ...(call.ownersOnly ? ['  -H "authorization: Bearer $ACCOUNT_KEY"'] : []),
      ...(isPost(call) ? ["  -H 'content-type: application/json'", `  -d ${shellQuoted(call.json)}`] : []),
    ].join(" \\\n"),

  TypeScript(call) {
    const own = call.ownersOnly ? `authorization: "Bearer " + process.env.ACCOUNT_KEY` : "";
    const init = isPost(call)
      ? `, {\n  method: "POST",\n  headers: { ${own && `${own}, `}"content-type": "application/json" },\n  body: JSON.stringify(${call.json.replaceAll("\n", "\n  ")}),\n}`
      : own && `, {\n  method: "${call.method}",\n  headers: { ${own} },\n}`;
    const [imports, show] = call.answersJson
      ? ["", "console.dir(await response.json(), { depth: null });"]
      : [
          'import { writeFile } from "node:fs/promises";\n',
          `const [, type] = response.headers.get("content-type")?.split(/[/+;]/) ?? [];
await writeFile("answer." + type, Buffer.from(await response.arrayBuffer()));`,
        ];
    const read = `\nif (!response.ok) throw new Error(await response.text());\n${show}`;
    if (!isPaid(call)) return `${imports}const response = await fetch(${JSON.stringify(call.url)}${init});${read}`;
    const { packages, modules, account, register } = settings.onlySolana ? SOLANA : EVM;
    return `// npm install @x402/fetch ${packages}
${imports}${modules}

const account = ${account};
const client = new x402Client()
  .register(${register})
  .setSpendControls({ maxAmountPerPayment: "$${call.price.usd ?? call.price.minUsd}" });
const pay = wrapFetchWithPayment(fetch, client);

const response = await pay(${JSON.stringify(call.url)}${init});${read}`;
  },

  Python(call) {
    const sent = isPost(call) ? `, json=json.loads(${pythonText(call.json)})` : "";
    const ask = (client: string, headers = "") =>
      `response = ${client}.${call.method.toLowerCase()}(${JSON.stringify(call.url)}${sent}${headers})`;
    const modules = isPost(call) ? ["import json"] : [];
    const show = call.answersJson
      ? "print(response.json())"
      : 'type = response.headers["content-type"].split("/")[1].split("+")[0].split(";")[0]\nwith open(f"answer.{type}", "wb") as file:\n    file.write(response.content)';
    const read = `response.raise_for_status()\n${show}`;
    if (!isPaid(call)) {
      const [needed, headers] = call.ownersOnly ? [["import os"], PYTHON_KEY] : [[], ""];
      const imports = [...modules, ...needed, "import requests"];
      return ["# pip install requests", ...imports, "", ask("requests", headers), read].join("\n");
    }
    const wallet = settings.onlySolana ? PYTHON_SOLANA : PYTHON_EVM;
    return `# pip install ${wallet.packages}
${[...modules, "import os"].join("\n")}

${wallet.modules}

client = x402ClientSync()
${wallet.register}
client.register_policy(max_amount(${atomic(call.price.usd ?? call.price.minUsd ?? "0")}))  # ${call.price.usd ?? call.price.minUsd} USD

with x402_requests(client) as session:
    ${ask("session")}
${read}`;
  },
};

const FETCH = 'import { wrapFetchWithPayment, x402Client } from "@x402/fetch";';
const EVM = {
  packages: "@x402/evm viem",
  modules: `import { ExactEvmScheme } from "@x402/evm";\n${FETCH}\nimport { privateKeyToAccount } from "viem/accounts";`,
  account: `privateKeyToAccount(process.env.WALLET_KEY as \`0x\${string}\`)`,
  register: '"eip155:*", new ExactEvmScheme(account)',
};
const SOLANA = {
  packages: "@x402/svm @solana/kit @scure/base",
  modules: `import { base58 } from "@scure/base";\nimport { createKeyPairSignerFromBytes } from "@solana/kit";\n${FETCH}\nimport { ExactSvmScheme } from "@x402/svm/exact/client";`,
  account: "await createKeyPairSignerFromBytes(base58.decode(process.env.SOLANA_KEY as string))",
  register: '"solana:*", new ExactSvmScheme(account)',
};
const CLIENT = "from x402 import max_amount, x402ClientSync\nfrom x402.http.clients import x402_requests";
const PYTHON_EVM = {
  packages: '"x402[requests,evm]" eth-account',
  modules: `from eth_account import Account\n${CLIENT}\nfrom x402.mechanisms.evm import EthAccountSigner\nfrom x402.mechanisms.evm.exact.register import register_exact_evm_client`,
  register: 'register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["WALLET_KEY"])))',
};
const PYTHON_SOLANA = {
  packages: '"x402[requests,svm]"',
  modules: `${CLIENT}\nfrom x402.mechanisms.svm import KeypairSigner\nfrom x402.mechanisms.svm.exact.register import register_exact_svm_client`,
  register: 'register_exact_svm_client(client, KeypairSigner.from_base58(os.environ["SOLANA_KEY"]))',
};

const PYTHON_KEY = `, headers={"authorization": "Bearer " + os.environ["ACCOUNT_KEY"]}`;

/** USDC has six decimals. */
const atomic = (usd: string) => String(Math.round(Number(usd) * 1_000_000));
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** JSON's escapes are valid in Python. */
const pythonText = (text: string) => JSON.stringify(text);
