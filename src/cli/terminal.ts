/** Formats output: aligned, in colour only on a terminal that allows it (NO_COLOR), and never truncated in a pipe. */
export interface Terminal {
  out(text: string): void;
  /** Prints progress, hints and errors, which are not results. */
  note(text: string): void;
  bytes(data: Uint8Array): void;
  /** A part of a line. */
  write(text: string): void;
  /** A signal that aborts when nobody reads the results any more; from then on the process ends by itself. */
  closed(): AbortSignal;
  /** A line that the next one replaces on a terminal; nothing elsewhere. */
  progress(text: string): void;
  /** Asks a person a question, if there is one at the terminal: true for yes. */
  ask?: (question: string) => Promise<boolean>;
  /** Whether the results go to a terminal. */
  readonly watched: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  table(rows: readonly (readonly string[])[], head?: readonly string[]): void;
}

export function createTerminal({
  stdout,
  stderr,
  stdin,
}: Pick<NodeJS.Process, "stdout" | "stderr"> & Partial<Pick<NodeJS.Process, "stdin">> = process): Terminal {
  const watched = stdout.isTTY === true;
  // hasColors() respects NO_COLOR and the terminal's abilities.
  const colourful = watched && stdout.hasColors();
  const paint = (code: number) => (text: string) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text);
  const width = watched ? stdout.columns : Number.POSITIVE_INFINITY;
  let progressing = false;
  const note = (text: string) => {
    if (progressing) stderr.write("\r\u001b[K");
    progressing = false;
    stderr.write(`${text}\n`);
  };
  const dim = paint(2);
  return {
    out: (text) => void stdout.write(`${text}\n`),
    note,
    bytes: (data) => void stdout.write(data),
    write: (text) => void stdout.write(text),
    closed() {
      const closing = new AbortController();
      stdout.on("error", () => closing.abort());
      return closing.signal;
    },
    progress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`\r\u001b[K${text}`);
      progressing = true;
    },
    watched,
    ...(stdin?.isTTY === true && stderr.isTTY === true
      ? { ask: (question) => asked(question, { stdin, stderr }) }
      : {}),
    bold: paint(1),
    dim,
    red: paint(31),
    green: paint(32),
    yellow: paint(33),
    table(rows, head) {
      const all = head ? [head, ...rows] : rows;
      const widths = columnWidths(all, width);
      const line = (cells: readonly string[]) =>
        cells
          .map((cell, index) => fitted(cell, widths[index] ?? 0))
          .join("  ")
          .trimEnd();
      if (head) stdout.write(`${dim(line(head))}\n`);
      for (const row of rows) stdout.write(`${line(row)}\n`);
    },
  };
}

/** As wide as their longest cell; if the sum is too wide, the widest are reduced. */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => oneLine(row[index] ?? "").length)),
  );
  const sum = () => widths.reduce((total, one) => total + one + 2, -2);
  while (sum() > width && Math.max(...widths) > 8) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = Math.max(8, (widths[widest] ?? 0) - (sum() - width));
  }
  return widths;
}

/** Upstream text may contain control characters, which must not reach a terminal. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ");

function fitted(text: string, width: number): string {
  const line = oneLine(text);
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line.padEnd(width);
}

async function asked(question: string, { stdin, stderr }: Pick<NodeJS.Process, "stdin" | "stderr">): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}
