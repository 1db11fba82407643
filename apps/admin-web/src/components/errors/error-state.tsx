import type { ReactNode } from "react";
import { adviceOf, messageOf } from "../../api/advice-of.ts";
import { Button } from "@latchkey/ui/components/button.tsx";

interface ErrorStateProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** More buttons. */
  children?: ReactNode;
}

/** Shows what went wrong, what to do about it, and a button to retry. */
export const ErrorState = ({ error, onRetry, children }: ErrorStateProps) => (
  <div
    role="alert"
    className="flex flex-col items-center justify-center gap-2 px-6 py-12 text-center"
  >
    <p className="font-semibold text-danger">{messageOf(error)}</p>
    <p className="max-w-md text-muted">{adviceOf(error)}</p>
    <div className="mt-2 flex flex-wrap justify-center gap-2">
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {children}
    </div>
  </div>
);
