import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type NoticeTone = "accent" | "success" | "warning" | "danger";

const tones: Record<NoticeTone, string> = {
  accent: "bg-accent-soft border-accent",
  success: "bg-success-soft border-success",
  warning: "bg-warning-soft border-warning",
  danger: "bg-danger-soft border-danger",
};

interface NoticeProps {
  tone?: NoticeTone | undefined;
  /** Screen readers announce it immediately. */
  isUrgent?: boolean | undefined;
  children: ReactNode;
}

/** Shows information that the user should read first. */
export const Notice = ({ tone = "accent", isUrgent, children }: NoticeProps) => (
  <div
    role={isUrgent ? "alert" : undefined}
    className={classNames("rounded-md border-s-4 px-3 py-2 break-words text-ink", tones[tone])}
  >
    {children}
  </div>
);
