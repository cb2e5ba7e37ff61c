import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { expect, it } from "vitest";
import { showResult } from "../../src/cli/show.js";
import { createTerminal } from "../../src/cli/terminal.js";

/** What is written, by a terminal of some width, or by a pipe. */
function written(write: (terminal: ReturnType<typeof createTerminal>) => void, tty?: { columns: number; env: object }) {
  const stream = () => {
    const out = new PassThrough();
    const hasColors = () => WriteStream.prototype.hasColors.call(out, 16, tty?.env);
    return Object.assign(out, tty ? { isTTY: true, columns: tty.columns, hasColors } : {});
  };
  const [stdout, stderr] = [stream(), stream()];
  write(createTerminal({ stdout, stderr } as never));
  return { out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

const rows = [
  ["a.b", "0.001", "What it does, told at some length so that it does not fit"],
  ["long.name", "0.1", "\u001b[31mred"],
];

it("a table is cut to the terminal, and whole in a pipe", () => {
  const piped = written((terminal) => terminal.table(rows)).out.split("\n");
  expect(piped[0]).toBe("a.b        0.001  What it does, told at some length so that it does not fit");
  const narrow = written((terminal) => terminal.table(rows), { columns: 40, env: { TERM: "xterm" } }).out.split("\n");
  expect(narrow[0]).toBe("a.b        0.001  What it does, told at…");
  // What comes from elsewhere commands no terminal.
  expect(narrow[1]).toBe("long.name  0.1     [31mred");
});

it("colours are for terminals that have them, and for nobody under NO_COLOR", () => {
  const red = (env: object) => written((terminal) => terminal.out(terminal.red("x")), { columns: 80, env }).out;
  expect(red({ TERM: "xterm-256color" })).toBe("\u001b[31mx\u001b[0m\n");
  expect(red({ TERM: "xterm-256color", NO_COLOR: "1" })).toBe("x\n");
  expect(red({ TERM: "dumb" })).toBe("x\n");
  expect(written((terminal) => terminal.out(terminal.red("x"))).out).toBe("x\n");
});

it("progress is one line that gives way to notes, and nothing in a pipe", () => {
  const load = (terminal: ReturnType<typeof createTerminal>) => {
    terminal.progress("1 MB");
    terminal.progress("2 MB");
    terminal.note("done");
  };
  expect(written(load, { columns: 80, env: {} }).err).toBe("\r\u001b[K1 MB\r\u001b[K2 MB\r\u001b[Kdone\n");
  expect(written(load).err).toBe("done\n");
});

it("a list is a table, a single thing its fields, anything else JSON, and nothing is said to be nothing", () => {
  const source = { provider: "P", license: "L" };
  const show = (result: unknown) => written((terminal) => showResult(terminal, result));
  const list = show({
    items: [
      { a: 1, b: null },
      { a: 2, c: [1] },
    ],
    total: 9,
    source,
  });
  expect(list).toEqual({ out: "a  c\n1\n2  [1]\n", err: "2 of 9. Source: P, L\n" });
  expect(show({ items: [{ a: { b: 1 }, c: "x" }], total: 1, source }).out).toBe("a.b  1\nc    x\n");
  expect(show({ items: [], total: 0, source }).out).toBe("Nothing was found.\n");
  expect(show({ reply: "hi" }).out).toBe('{\n  "reply": "hi"\n}\n');
});
