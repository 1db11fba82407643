import { launch } from "../apps/cli/bin/launch.js";

// node scripts/run.js <program> [arguments]: runs a program for npm scripts.

const [program] = process.argv.splice(2, 1);
await launch(program);
