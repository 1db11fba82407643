import { createInterface } from "node:readline";
import { Writable } from "node:stream";

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Prompts the user at the terminal. */
export interface HiddenPrompt {
  /** Returns the typed line. Rejects if the input has ended. */
  ask(question: string): Promise<string>;
  /** Restores the terminal. */
  close(): void;
}

/** Opens a prompt that does not echo input. Lines that are typed ahead, or pasted, are kept for the next prompt. */
export const openHiddenPrompt = ({ input, output }: Terminal): HiddenPrompt => {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  // With `terminal` set, the line can be edited and the real terminal does not echo it.
  const lines = createInterface({ input, output: nothing, terminal: true, historySize: 0 });
  lines.on("SIGINT", () => {
    output.write("\n");
    process.kill(process.pid, "SIGINT");
  });
  const typed = lines[Symbol.asyncIterator]();
  return {
    ask: async (question) => {
      output.write(question);
      const { done, value } = await typed.next();
      output.write("\n");
      if (done) throw new Error("no answer was given");
      return value;
    },
    close: () => lines.close(),
  };
};
