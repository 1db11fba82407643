/** Shorter words must match literally. Longer ones are ids, tokens and times. */
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
 * Returns the first line of the shown output that is missing in the written output, in order. Returns undefined if all are present.
 * `...` matches anything, and ids, times and numbers match any others. A line that begins with `...` belongs to another terminal.
 */
export const findMissingLine = (shown: string, written: string): string | undefined => {
  const lines = shown.split("\n").filter((line) => line !== "" && !line.startsWith("..."));
  let from = 0;
  return lines.find((line) => {
    const pattern = /^[[{]/.test(line) ? jsonPattern(line) : textPattern(line);
    const match = new RegExp(`^${pattern}$`, "m").exec(written.slice(from));
    if (match === null) return true;
    from += match.index + match[0].length;
    return false;
  });
};
