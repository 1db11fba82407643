/** Shorter ones are words of ours, longer ones ids, tokens and times. */
const literalMax = 19;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const valuePattern = (value: string): string =>
  value.length - 2 <= literalMax && !value.includes("...") ? escape(value) : '"[^"]*"';

const jsonPattern = (line: string): string =>
  line.replaceAll(
    /("(?:[^"\\]|\\.)*")(\s*:)|("(?:[^"\\]|\\.)*")|(\.\.\.)|(\d+)|([\s\S])/g,
    (_all, ...parts: (string | undefined)[]) => {
      const [key, colon = "", value, rest, number, other = ""] = parts;
      if (key !== undefined) return escape(key) + colon;
      if (value !== undefined) return valuePattern(value);
      if (rest !== undefined) return ".*";
      return number === undefined ? escape(other) : String.raw`\d+`;
    },
  );

const textPattern = (line: string): string =>
  line.replaceAll(/(\.\.\.)|([A-Za-z0-9]{20,}|\d+)|([\s\S])/g, (_all, ...parts) => {
    const [rest, changing, other = ""] = parts as (string | undefined)[];
    if (rest !== undefined) return ".*";
    return changing === undefined ? escape(other) : String.raw`[A-Za-z0-9]+`;
  });

/**
 * The first line that a document shows and a command has not written, in order; undefined where all are there. `...` stands for
 * anything, and ids, times and numbers are as they come. A line that begins with `...` is of another terminal.
 */
export const findMissingLine = (shown: string, written: string): string | undefined => {
  const lines = shown.split("\n").filter((line) => line !== "" && !line.startsWith("..."));
  let from = 0;
  return lines.find((line) => {
    const pattern = /^[[{]/.test(line) ? jsonPattern(line) : textPattern(line);
    const found = new RegExp(`^${pattern}$`, "m").exec(written.slice(from));
    if (found === null) return true;
    from += found.index + found[0].length;
    return false;
  });
};
