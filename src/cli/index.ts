#!/usr/bin/env node
/** `coinslot`: the catalogue on the command line. Exit codes: 0 done, 1 the call failed, 2 used wrongly. */
import { main } from "./main.js";

// A reader such as head closes the pipe early, which does not count as a failure. A command that listens ends by itself.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  if (process.stdout.listenerCount("error") > 1) return;
  process.exit(process.exitCode ?? 0);
});

process.exitCode = await main(process.argv.slice(2));
