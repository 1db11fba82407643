import type { Command } from "./command.ts";

/** Those of some commands in which every word of a text begins a word, or stands in the label as a whole. */
export const matchCommands = (commands: readonly Command[], text: string): Command[] => {
  const wanted = text.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  return commands.filter(({ label, hint = "" }) => {
    const words = `${label} ${hint}`.toLocaleLowerCase("en").split(/\s+/);
    return wanted.every((word) => words.some((known) => known.startsWith(word)));
  });
};
