import { useSyncExternalStore } from "react";
import { classNames } from "./class-names.ts";
import { eachTick } from "./each-tick.ts";
import { lazyValue } from "./lazy-value.ts";
import { minuteText, secondText } from "./moment-text.ts";
import { relativeText } from "./relative-text.ts";
import { locale } from "./locale.ts";

interface RelativeTimeProps {
  /** An ISO time as in replies. A missing time is shown as a dash. */
  at: string | null | undefined;
  /** Whether the time is one that was set, such as an expiry, so that it may lie ahead. */
  mayBeAhead?: boolean | undefined;
  /** Shows the time to the minute and the relative time below it, in a cell of a table. */
  isStacked?: boolean | undefined;
}

const withZone = lazyValue(
  () => new Intl.DateTimeFormat(locale.tag, { dateStyle: "full", timeStyle: "long" }),
);

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
      // The title below is not rendered, so another time needs another element.
      key={at}
      dateTime={at}
      // Only a pointer shows it, and the names of zones take long to load.
      onPointerEnter={({ currentTarget }) => (currentTarget.title = withZone().format(date))}
      className={classNames(
        isStacked ? "flex flex-col leading-tight" : "inline-flex flex-wrap gap-x-1.5",
      )}
    >
      <span className="whitespace-nowrap">{isStacked ? minuteText(date) : secondText(date)}</span>
      <span className={classNames("whitespace-nowrap text-muted", isStacked && "text-xs")}>
        {isStacked ? relative : `(${relative})`}
      </span>
    </time>
  );
};
