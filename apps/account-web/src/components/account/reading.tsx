import { Button } from "@latchkey/ui/components/button.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "../../languages.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";

interface ReadingProps<Data> {
  of: Pick<UseQueryResult, "error" | "failureCount" | "failureReason" | "isFetching"> & {
    data: Data | undefined;
    refetch: () => unknown;
  };
  children: (data: Data) => ReactNode;
}

/** Shows what was read. Until then it shows a placeholder, or why reading failed with a way to try again. */
export const Reading = <Data,>({ of, children }: ReadingProps<Data>) => {
  const t = useTranslation("page");
  const { data, failureCount, failureReason, isFetching, refetch } = of;
  // A lasting failure is shown while the next attempts are made.
  const error = of.error ?? (failureCount > 1 ? failureReason : null);
  if (data !== undefined) return children(data);
  if (!error)
    return (
      <div role="status" aria-label={t("loading")} className="flex flex-col gap-2">
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-5 w-1/2" />
      </div>
    );
  return (
    <div className="flex flex-col items-start gap-3">
      <FormError error={error} />
      <Button isBusy={isFetching} onClick={() => void refetch()}>
        {t("retry")}
      </Button>
    </div>
  );
};
