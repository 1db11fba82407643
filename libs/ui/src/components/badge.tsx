import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-pressed px-2 text-muted",
  accent: "bg-accent-soft px-2 text-link",
  // The usual state of most things, which needs no more than a dot.
  success:
    "gap-1.5 text-muted before:size-1.5 before:rounded-full before:bg-success before:content-['']",
  warning: "bg-warning-soft px-2 text-warning",
  danger: "bg-danger-soft px-2 text-danger",
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
      "inline-flex h-5.5 items-center rounded-full text-xs font-medium whitespace-nowrap",
      tones[tone],
    )}
  >
    {children}
  </span>
);
