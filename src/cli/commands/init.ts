/** `coinslot init`: creates a small project that sells some capabilities. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Invocation } from "../invocation.js";
import { type Choices, FRAMEWORKS, filesOf, NETWORKS, STORES } from "../project/files.js";
import { didYouMean, UsageError } from "../usage.js";
import { packageVersion } from "../version.js";

const QUESTIONS = {
  framework: { known: Object.keys(FRAMEWORKS), fallback: "hono", question: "Which framework" },
  store: { known: Object.keys(STORES), fallback: "memory", question: "Where is state kept" },
  network: { known: Object.keys(NETWORKS), fallback: "base-sepolia", question: "On which network are you paid" },
} as const;

export async function run({ terminal, words, options }: Invocation): Promise<number> {
  if (words.length > 1) throw new UsageError("Name one folder: coinslot init my-shop.");
  const folder = resolve(words[0] ?? "coinslot-shop");
  await assertEmpty(folder);
  const template = templateOf(options);
  if (template !== undefined) {
    const { resaleFiles } = await import("../project/resale.js");
    await write(folder, await resaleFiles(basename(folder), packageVersion()));
    terminal.note(`${terminal.green("Made")} ${folder}: ${template}.`);
    terminal.out(
      `cd ${words[0] ?? "coinslot-shop"}\nnpm install\ncp env.example .env   # your address stands there\nnpm run check`,
    );
    return 0;
  }
  const choices = await choicesOf(options);
  await write(folder, filesOf(basename(folder), choices, packageVersion()));
  terminal.note(`${terminal.green("Made")} ${folder}: ${Object.values(choices).join(", ")}.`);
  terminal.out(
    `cd ${words[0] ?? "coinslot-shop"}\nnpm install\ncp .env.example .env   # your address stands there\nnpm start`,
  );
  return 0;
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** A template has its own choices. */
function templateOf({ template, framework, store, network }: Invocation["options"]): string | undefined {
  if (template === undefined) return undefined;
  const beside = Object.entries({ framework, store, network }).find(([, value]) => value !== undefined);
  if (beside) throw new UsageError(`--${beside[0]} is none of --template's choices.`);
  return readChoice("template", String(template), ["resale"]);
}

async function assertEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0) throw new UsageError(`${folder} is not empty. Name another folder: coinslot init my-shop.`);
}

/** From options, otherwise from questions on a terminal, otherwise the defaults. */
async function choicesOf(options: Invocation["options"]): Promise<Choices> {
  const asking = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const terminal = asking ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  const chosen: Record<string, string> = {};
  try {
    for (const [name, { known, fallback, question }] of Object.entries(QUESTIONS)) {
      const given = options[name] as string | undefined;
      const answer = given ?? (await terminal?.question(`${question}? (${known.join(", ")}) [${fallback}] `));
      chosen[name] = readChoice(name, answer?.trim() || fallback, known);
    }
  } finally {
    terminal?.close();
  }
  return chosen as unknown as Choices;
}

function readChoice(name: string, answer: string, known: readonly string[]): string {
  if (known.includes(answer)) return answer;
  throw new UsageError(
    `--${name}: there is no "${answer}".${didYouMean(answer, known)} There are: ${known.join(", ")}.`,
  );
}
