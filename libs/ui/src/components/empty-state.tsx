import { Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** Explains why it is empty and how to change that. */
  children?: ReactNode;
  /** A button or link that does so. */
  action?: ReactNode;
  /** A picture of what would be here. */
  Icon?: LucideIcon | undefined;
}

/** Shows that there is nothing here, and that this is not an error. */
export const EmptyState = ({ title, children, action, Icon = Inbox }: EmptyStateProps) => (
  <div className="flex flex-col items-center justify-center gap-1 px-6 py-12 text-center">
    <span
      aria-hidden="true"
      className="mb-3 grid size-11 place-items-center rounded-lg border bg-surface text-muted shadow-sm"
    >
      <Icon className="size-5" />
    </span>
    <p className="font-semibold">{title}</p>
    {children && <div className="max-w-md text-pretty text-muted">{children}</div>}
    {action && <div className="mt-4">{action}</div>}
  </div>
);
