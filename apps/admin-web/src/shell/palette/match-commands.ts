import type { Command } from "./command.ts";

/** Returns the commands in which every word of the text is a prefix of a word in the label or hint. Ignores case. */
export const matchCommands = (commands: readonly Command[], text: string): Command[] => {
  const wanted = text.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  return commands.filter(({ label, hint = "" }) => {
    const words = `${label} ${hint}`.toLocaleLowerCase("en").split(/\s+/);
    return wanted.every((word) => words.some((known) => known.startsWith(word)));
  });
};
