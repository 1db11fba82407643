import { runCommandLine } from "../../apps/cli/src/run-command-line.ts";
import type { ResidentCommand } from "./start-resident-latchkey.ts";

// Runs commands of `npx latchkey` one after another in this process, each with an environment and output of its own.

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Collects what the command writes to a stream. */
const collect = (stream: NodeJS.WriteStream): (() => string) => {
  const { write } = stream;
  const written: Buffer[] = [];
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error) => void),
    done?: (error?: Error) => void,
  ) => {
    written.push(Buffer.from(chunk as string));
    const confirm = typeof encoding === "function" ? encoding : done;
    if (confirm) process.nextTick(confirm);
    return true;
  };
  return () => {
    stream.write = write;
    return Buffer.concat(written).toString();
  };
};

const run = async ({ args, environment }: ResidentCommand): Promise<void> => {
  process.env = { ...environment };
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  const code = await runCommandLine(args);
  // Each command adds handlers, because it expects a process of its own.
  for (const signal of signals) process.removeAllListeners(signal);
  process.send?.({ code, stdout: stdout(), stderr: stderr() });
};

process.on("message", (command: ResidentCommand) => void run(command));
