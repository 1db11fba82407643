import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Button } from "@latchkey/ui/components/button.tsx";
import { ErrorState } from "../components/errors/error-state.tsx";

/** Whether a chunk of the page could not be loaded, because a newer Latchkey has replaced the version that served this page. */
const isOutdated = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

/** Shown instead of a screen that failed. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (isOutdated(error))
    return (
      <div role="alert" className="flex flex-col items-center gap-2 p-12 text-center">
        <p className="font-semibold">A newer version of this page is available.</p>
        <p className="text-muted">Refresh to continue.</p>
        <Button onClick={() => window.location.reload()}>Refresh page</Button>
      </div>
    );
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
};
