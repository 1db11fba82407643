import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Button } from "@latchkey/ui/components/button.tsx";
import { isLoadFailure, reloadPage } from "@latchkey/ui/components/is-load-failure.ts";
import { ErrorState } from "../components/errors/error-state.tsx";
import { loadFailureText } from "./load-failure-text.ts";

/** Shown instead of a screen that failed. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (isLoadFailure(error))
    return (
      <div role="alert" className="flex flex-col items-center gap-2 p-12 text-center">
        <p className="font-semibold">{loadFailureText.title}</p>
        <p className="text-muted">{loadFailureText.advice}</p>
        <Button onClick={() => void reloadPage()}>{loadFailureText.action}</Button>
      </div>
    );
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
};
