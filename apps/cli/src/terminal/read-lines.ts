import { createReadStream } from "node:fs";

/**
 * Reads the lines of a file, or of a part of it up to the exclusive offset `end`. Only a line feed ends a line, because texts may contain
 * other line separators.
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
