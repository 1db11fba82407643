import { createReadStream } from "node:fs";

/**
 * The lines of a file, or of a part of it, which `end` is the first byte after. They end with a line feed alone: texts in them may
 * hold what else counts as an end of a line.
 */
export async function* readLines(
  path: string,
  part?: { start: number; end: number },
): AsyncGenerator<string> {
  const range = part ? { start: part.start, end: part.end - 1 } : {};
  let rest = "";
  const stream = createReadStream(path, { encoding: "utf8", ...range });
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
