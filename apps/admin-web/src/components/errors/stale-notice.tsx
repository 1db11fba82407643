import { explanationOf } from "../../api/explain.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { t } from "../../texts.ts";

/** The state of a repeated request, usually a query. */
export interface Reading {
  readonly data: unknown;
  readonly error: unknown;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** Whether there is data to show although a later request failed. */
export const isStale = ({ data, error }: Pick<Reading, "data" | "error">): boolean =>
  error !== null && data !== undefined;

/** Shows that data could not be refreshed or read completely, why, and what to do. Renders nothing if there is no error. */
export const StaleNotice = ({ reading }: { reading: Reading }) => {
  const { error, isFetching, refetch } = reading;
  if (!isStale(reading)) return null;
  return (
    <Notice tone="warning" isUrgent>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 break-words">
          <span className="font-medium">{t("common.stale")} </span>
          {explanationOf(error)}
        </p>
        <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
          {t("common.tryAgain")}
        </Button>
      </div>
    </Notice>
  );
};
