import type { Writable } from "node:stream";

const lengthMax = 65_536;

/** Writes lines in large chunks and respects backpressure. Rejects if the reader closes the stream. */
export const createLineWriter = (stream: Writable) => {
  let waiting = "";
  stream.on("error", () => {}); // the failed write rejects
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      const text = waiting;
      waiting = "";
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  return {
    write: async (line: string): Promise<void> => {
      waiting += `${line}\n`;
      if (waiting.length >= lengthMax) await flush();
    },
    end: flush,
  };
};
