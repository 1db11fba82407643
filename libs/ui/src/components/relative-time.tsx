import { useSyncExternalStore } from "react";
import { classNames } from "./class-names.ts";
import { eachTick } from "./each-tick.ts";
import { relativeText } from "./relative-text.ts";

interface RelativeTimeProps {
  /** An ISO time as in replies. A missing time is shown as a dash. */
  at: string | null | undefined;
  /** Whether the time is one that was set, such as an expiry, so that it may lie ahead. */
  mayBeAhead?: boolean | undefined;
  /** Shows the time to the minute and the relative time below it, in a cell of a table. */
  isStacked?: boolean | undefined;
}

const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const toMinute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const withZone = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** Shows a time in the zone of this device, and beside it the time relative to now. */
export const RelativeTime = ({ at, mayBeAhead, isStacked = false }: RelativeTimeProps) => {
  const date = at ? new Date(at) : undefined;
  // The snapshot is read whenever anything renders, so the text is never older than the last tick.
  const relative = useSyncExternalStore(
    eachTick,
    () => date && relativeText(date, new Date(), { mayBeAhead }),
  );
  if (!at || !date) return <span className="text-muted">–</span>;
  return (
    <time
      dateTime={at}
      title={withZone.format(date)}
      className={classNames(
        isStacked ? "flex flex-col leading-tight" : "inline-flex flex-wrap gap-x-1.5",
      )}
    >
      <span className="whitespace-nowrap">{(isStacked ? toMinute : absolute).format(date)}</span>
      <span className={classNames("whitespace-nowrap text-muted", isStacked && "text-xs")}>
        {isStacked ? relative : `(${relative})`}
      </span>
    </time>
  );
};
