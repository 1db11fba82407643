import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** Explains why it is empty and how to change that. */
  children?: ReactNode;
  /** A button or link that does so. */
  action?: ReactNode;
}

/** Shows that there is nothing here, and that this is not an error. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center justify-center gap-2 px-6 py-12 text-center">
    <p className="font-semibold">{title}</p>
    {children && <div className="max-w-md text-muted">{children}</div>}
    {action && <div className="mt-2">{action}</div>}
  </div>
);
