import type { LucideIcon } from "lucide-react";

/** An entry of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Distinguishes it from others with the same label: an address or a slug. */
  readonly hint?: string;
  readonly icon: LucideIcon;
  run(): void;
}

export interface CommandGroup {
  readonly label: string;
  readonly items: readonly Command[];
}

/** Returns the commands in which every word of the text is a prefix of a word in the label or hint. Ignores case. */
export const matchCommands = (commands: readonly Command[], text: string): Command[] => {
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, hint = "" }) => {
    const words = `${label} ${hint}`.toLocaleLowerCase().split(/\s+/);
    return wanted.every((word) => words.some((known) => known.startsWith(word)));
  });
};
