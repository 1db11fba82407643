import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type NoticeTone = "accent" | "success" | "warning" | "danger";

const tones = {
  accent: { background: "bg-accent-soft border-accent-line", ink: "text-link", Icon: Info },
  success: {
    background: "bg-success-soft border-success/25",
    ink: "text-success",
    Icon: CircleCheck,
  },
  warning: {
    background: "bg-warning-soft border-warning/25",
    ink: "text-warning",
    Icon: TriangleAlert,
  },
  danger: { background: "bg-danger-soft border-danger/25", ink: "text-danger", Icon: CircleAlert },
} as const satisfies Record<NoticeTone, object>;

interface NoticeProps {
  tone?: NoticeTone | undefined;
  /** Screen readers announce it immediately. */
  isUrgent?: boolean | undefined;
  children: ReactNode;
}

/** Shows information that the user should read first. */
export const Notice = ({ tone = "accent", isUrgent, children }: NoticeProps) => {
  const { background, ink, Icon } = tones[tone];
  return (
    <div
      role={isUrgent ? "alert" : undefined}
      className={classNames("flex gap-2.5 rounded-md border px-3 py-2.5 text-ink", background)}
    >
      <Icon aria-hidden="true" className={classNames("mt-[0.15em] size-4 shrink-0", ink)} />
      <div className="min-w-0 flex-1 break-words">{children}</div>
    </div>
  );
};
