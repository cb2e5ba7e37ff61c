/**
 * Console lines go straight to the process, without the default logger's: a host without a logger may still log after a file's
 * last test, when Vitest no longer takes lines and would fail the run.
 */
const MARK = Symbol.for("coinslot.test.console");

for (const level of ["debug", "info", "log", "warn", "error"] as const) {
  const write = console[level] as typeof console.log & { [MARK]?: true };
  if (write[MARK]) continue;
  console[level] = Object.assign(
    (...line: unknown[]) => {
      if (!(typeof line[0] === "string" && line[0].startsWith("coinslot: "))) write(...line);
    },
    { [MARK]: true as const },
  );
}
