import { pathToFileURL } from "node:url";

// Runs a module for as long as the parent process lives. Standard input is a pipe that the parent holds and never writes to. It ends with
// the parent, also by SIGKILL or with the terminal, when no process is left to send a signal.

const [main = ""] = process.argv.splice(2, 1); // the module finds its own arguments
const input: NodeJS.ReadableStream & { unref?: () => void } = process.stdin;
input.once("end", () => process.kill(process.pid, "SIGTERM")).resume();
input.unref?.(); // pipes have it; a finished module may exit
await import(pathToFileURL(main).href);
