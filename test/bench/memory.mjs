import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printBar, printTable, say, whole } from "./measure.mjs";

export const title = "What a process keeps in memory, after a collection of garbage";

const MB = 1024 * 1024;
const ALLOWED_MB = 60;
const execute = promisify(execFile);
const child = fileURLToPath(new URL("memory-child.mjs", import.meta.url));

/** In a process of its own, so that nothing else counts. */
async function measured(mode) {
  const { stdout } = await execute(process.execPath, ["--expose-gc", child, mode]);
  return JSON.parse(stdout);
}

export async function run() {
  const empty = await measured("empty");
  const mounted = await measured("mounted");
  const mountedMb = (mounted.rss - empty.rss) / MB;
  const { reply, record } = await measured("records");
  printTable(
    ["", "memory"],
    [
      ["an empty Node, resident", `${whole(empty.rss / MB)} MB`],
      ["every capability mounted, first 402, beyond that", `${whole(mountedMb)} MB`],
      ["of it on the heap", `${whole((mounted.heap - empty.heap) / MB)} MB`],
      [`a sale with its answer (${reply.characters} characters), each of 10,000`, `${whole(reply.bytes)} bytes`],
      [`a payment's record (${record.characters} characters), each of 100,000`, `${whole(record.bytes)} bytes`],
    ],
  );
  const bars = [
    printBar(`the mounted catalogue beside ${ALLOWED_MB} MB`, mountedMb / ALLOWED_MB, { atMost: 1 }),
    printBar("a sale with its answer in memory beside its text", reply.bytes / reply.characters, { atMost: 2 }),
    printBar("a payment's record in memory beside its text", record.bytes / record.characters, { atMost: 2 }),
  ];
  for (const [mode, what] of [
    ["unpaid", "402s"],
    ["paid", "paid calls"],
  ]) {
    const { before, after, calls } = await measured(mode);
    say(
      `  ${whole(calls)} ${what} add ${((after - before) / calls).toFixed(2)} bytes each to ${whole(before / MB)} MB.`,
    );
    bars.push(printBar(`memory after ${whole(calls)} more ${what}`, after / before, { atMost: 1.05 }));
  }
  return bars;
}
