import { classNames } from "./class-names.ts";

export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "medium" | "small" | "icon";

const kinds: Record<ButtonKind, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:opacity-90",
  secondary: "bg-surface text-ink border-edge hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-danger text-on-danger border-transparent hover:opacity-90",
};

const sizes: Record<ButtonSize, string> = {
  medium: "h-9 px-3.5",
  small: "h-7 px-2.5 text-xs",
  icon: "size-8 justify-center",
};

/** Returns the classes of a button, also for links that look like buttons. */
export const buttonStyle = (kind: ButtonKind = "secondary", size: ButtonSize = "medium"): string =>
  classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none",
    "disabled:cursor-not-allowed disabled:opacity-55 data-disabled:cursor-not-allowed data-disabled:opacity-55",
    "[&_svg]:size-4 [&_svg]:shrink-0",
    kinds[kind],
    sizes[size],
  );
