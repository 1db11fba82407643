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
