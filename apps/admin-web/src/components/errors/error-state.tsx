import type { ReactNode } from "react";
import { explain } from "../../api/explain.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { t } from "../../texts.ts";

interface ErrorStateProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** More buttons. */
  children?: ReactNode;
}

/** Shows what went wrong, what to do about it, and a button to retry. */
export const ErrorState = ({ error, onRetry, children }: ErrorStateProps) => {
  const { message, advice } = explain(error);
  return (
    <div
      role="alert"
      className="flex flex-col items-center justify-center gap-2 px-6 py-12 text-center"
    >
      <p className="font-semibold text-danger">{message}</p>
      <p className="max-w-md text-muted">{advice}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {onRetry && <Button onClick={onRetry}>{t("common.tryAgain")}</Button>}
        {children}
      </div>
    </div>
  );
};

interface UnreadProps {
  reading: { readonly error: unknown; refetch(): unknown };
  /** The size of the placeholder. */
  className: string;
}

/** Takes the place of data that was not read yet: a placeholder, or why it could not be read. */
export const Unread = ({ reading: { error, refetch }, className }: UnreadProps) =>
  error ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton className={className} />
  );
