import { adviceOf, messageOf } from "../../api/advice-of.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** What is known of a question that is asked more than once: a query, mostly. */
export interface Reading {
  readonly data: unknown;
  readonly error: unknown;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** Whether there is an answer to show, but a later one failed to come. */
export const isStale = ({ data, error }: Pick<Reading, "data" | "error">): boolean =>
  error !== null && data !== undefined;

/** Beside what could not be read again, or not to its end: why, and what to do. Nothing where all went well. */
export const StaleNotice = ({ reading }: { reading: Reading }) => {
  const { error, isFetching, refetch } = reading;
  if (!isStale(reading)) return null;
  return (
    <Notice tone="warning" isUrgent>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 break-words">
          <span className="font-medium">This may be incomplete or out of date: </span>
          {messageOf(error)} {adviceOf(error)}
        </p>
        <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    </Notice>
  );
};
