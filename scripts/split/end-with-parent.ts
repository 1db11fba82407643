import { pathToFileURL } from "node:url";

// Runs a module for as long as the process lives that started this one. Our input is a pipe which that one holds and never writes
// to: it ends with its holder, also by SIGKILL or with the terminal, when nobody is left to send a signal.

const [, , main = ""] = process.argv;
const input: NodeJS.ReadableStream & { unref?: () => void } = process.stdin;
input.once("end", () => process.kill(process.pid, "SIGTERM")).resume();
input.unref?.(); // a pipe has it; a module that is done is not held up
await import(pathToFileURL(main).href);
