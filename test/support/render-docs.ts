import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";
import { ROOT } from "./render-indexes.js";

const folder = new URL("src/docs/browser/", ROOT);

/** src/docs/assets.ts: what runs in a browser, in one text, so that hosts' bundlers carry it along like any module. */
export function renderDocsAssets(): string {
  const style = transformSync(readFileSync(new URL("style.css", folder), "utf8"), { loader: "css", minify: true });
  const line = (name: string, text = "") => `export const ${name} = ${JSON.stringify(text)};\n`;
  return [
    "// Generated from browser/: npx vitest run test/generated.test.ts -u\n",
    line("APP", scriptOf("main.ts")),
    line("PAY", scriptOf("pay.ts")),
    line("ACCOUNT", scriptOf("account/main.ts")),
    line("SOLANA", scriptOf("wallets/solana-transaction.ts")),
    line("STYLE", style.code),
  ].join("\n");
}

function scriptOf(name: string): string | undefined {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(name, folder))],
    tsconfigRaw: {},
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text;
}
