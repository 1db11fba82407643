import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A list of what happened, the newest first. */
export const Timeline = ({ label, children }: { label: string; children: ReactNode }) => (
  <ol aria-label={label} className="flex flex-col">
    {children}
  </ol>
);

interface TimelineItemProps {
  Icon: LucideIcon;
  /** It did not go well. */
  isFailure?: boolean | undefined;
  children: ReactNode;
}

/** One event, with its mark on the line that leads to the next one. */
export const TimelineItem = ({ Icon, isFailure, children }: TimelineItemProps) => (
  <li className="group flex gap-3">
    <div aria-hidden="true" className="flex flex-col items-center">
      <span
        className={classNames(
          "grid size-7 shrink-0 place-items-center rounded-full border",
          isFailure ? "border-transparent bg-warning-soft text-warning" : "bg-surface text-muted",
        )}
      >
        <Icon className="size-3.5" />
      </span>
      <span className="w-px flex-1 bg-line group-last:hidden" />
    </div>
    <div className="min-w-0 flex-1 pt-0.5 pb-5 group-last:pb-0">{children}</div>
  </li>
);
