import type { LucideIcon } from "lucide-react";

/** One thing that the palette offers. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** What tells it from others of the same label: an address, a slug. */
  readonly hint?: string;
  readonly icon: LucideIcon;
  run(): void;
}

export interface CommandGroup {
  readonly label: string;
  readonly items: readonly Command[];
}
