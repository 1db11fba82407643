import { useNow } from "./use-now.ts";
import { relativeText } from "./relative-text.ts";

interface RelativeTimeProps {
  /** An ISO time as in replies. A missing time is shown as a dash. */
  at: string | null | undefined;
}

const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** Shows a relative time. The exact time is shown on hover and read by screen readers. */
export const RelativeTime = ({ at }: RelativeTimeProps) => {
  const now = useNow();
  if (!at) return <span className="text-muted">–</span>;
  const date = new Date(at);
  const whole = absolute.format(date);
  return (
    <time dateTime={at} title={whole} className="whitespace-nowrap">
      {relativeText(date, now)}
      <span className="sr-only">, {whole}</span>
    </time>
  );
};
