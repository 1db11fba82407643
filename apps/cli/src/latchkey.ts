#!/usr/bin/env node
import { runCommandLine } from "./run-command-line.ts";

// npx latchkey: the command line for operators.

// A check that timed out may still hold a connection. The process does not wait for it.
process.exit(await runCommandLine(process.argv.slice(2)));
