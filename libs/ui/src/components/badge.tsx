import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger";

const tones: Record<BadgeTone, string> = {
  neutral: "border-line text-muted",
  accent: "border-accent-line bg-accent-soft text-link",
  // The usual state of most things, so that only a dot is green.
  success:
    "gap-1.5 border-line text-muted before:size-1.5 before:rounded-full before:bg-success before:content-['']",
  warning: "border-transparent bg-warning-soft text-warning",
  danger: "border-transparent bg-danger-soft text-danger",
};

/** Shows a state in a word or two. The colour only repeats it, and is for states that are news. */
export const Badge = ({
  tone = "neutral",
  children,
}: {
  tone?: BadgeTone;
  children: ReactNode;
}) => (
  <span
    className={classNames(
      "inline-flex h-5.5 items-center rounded-full border px-1.75 text-xs font-medium whitespace-nowrap",
      tones[tone],
    )}
  >
    {children}
  </span>
);
