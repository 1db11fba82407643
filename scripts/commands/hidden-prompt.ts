import { createInterface } from "node:readline";
import { Writable } from "node:stream";

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks questions of whoever sits at a terminal. */
export interface HiddenPrompt {
  /** The line that was typed. Rejects when the input has ended. */
  ask(question: string): Promise<string>;
  /** Gives the terminal back. */
  close(): void;
}

/** A prompt that shows nothing of what is typed. Lines that are typed ahead, or pasted, are kept for the next question. */
export const openHiddenPrompt = ({ input, output }: Terminal): HiddenPrompt => {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  // As a terminal, so that the line can be edited and the real one does not echo it.
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
