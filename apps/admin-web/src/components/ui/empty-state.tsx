import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** Why nothing is here, and what would put something here. */
  children?: ReactNode;
  /** A button or link that does. */
  action?: ReactNode;
}

/** Nothing is here, and that is no fault. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center justify-center gap-2 px-6 py-12 text-center">
    <p className="font-semibold">{title}</p>
    {children && <div className="max-w-md text-muted">{children}</div>}
    {action && <div className="mt-2">{action}</div>}
  </div>
);
