#!/usr/bin/env node
/** `coinslot`: the catalogue on the command line. Exit codes: 0 done, 1 the call failed, 2 used wrongly. */
import { main } from "./main.js";

process.exitCode = await main(process.argv.slice(2));
