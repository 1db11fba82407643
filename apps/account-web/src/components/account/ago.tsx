import { eachTick } from "@latchkey/ui/components/each-tick.ts";
import { useSyncExternalStore } from "react";
import { shownLanguage } from "../../languages.ts";

const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Returns a past time relative to now in a language, in whole units of the largest that fits. A time ahead counts as now. */
export const agoText = (language: string, at: Date, now: Date): string => {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const fitting = units.find(([, length]) => seconds >= length);
  if (!fitting)
    return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0, "second");
  const [unit, length] = fitting;
  return new Intl.RelativeTimeFormat(language).format(-Math.floor(seconds / length), unit);
};

/** Shows a past time relative to now, in the language that is shown. A pointer shows the time itself. */
export const Ago = ({ at }: { at: string }) => {
  const language = shownLanguage();
  const date = new Date(at);
  const text = useSyncExternalStore(eachTick, () => agoText(language, date, new Date()));
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <time dateTime={at} title={format.format(date)}>
      {text}
    </time>
  );
};
