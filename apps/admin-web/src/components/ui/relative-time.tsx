import { useNow } from "./use-now.ts";
import { relativeText } from "./relative-text.ts";

interface RelativeTimeProps {
  /** As replies carry it; nothing is shown as a dash. */
  at: string | null | undefined;
}

const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** How long ago; the time itself on hover, and for screen readers. */
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
