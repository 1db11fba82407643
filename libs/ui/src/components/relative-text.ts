import { lazyByLanguage } from "./lazy-value.ts";
import { locale } from "./locale.ts";

const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "1 day ago" instead of "yesterday": 25 hours may span two midnights. */
const relative = lazyByLanguage(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: "always" }),
);

/** With words for the present. */
const worded = lazyByLanguage(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
);

interface RelativeTextOptions {
  /** Whether the time is one that was set, such as an expiry, so that it may lie ahead. */
  mayBeAhead?: boolean | undefined;
  language?: string | undefined;
}

/**
 * Formats a time relative to now, in whole units of the largest that fits. A time that has passed cannot lie ahead: if the clock of
 * this device is behind that of the server, it counts as now.
 */
export const relativeText = (
  at: Date,
  now: Date,
  { mayBeAhead = false, language = locale.language }: RelativeTextOptions = {},
): string => {
  const difference = Math.trunc((at.getTime() - now.getTime()) / 1000);
  const seconds = mayBeAhead ? difference : Math.min(difference, 0);
  const fitting = units.find(([, length]) => Math.abs(seconds) >= length);
  if (!fitting)
    return seconds > 0
      ? relative(language).format(1, "minute")
      : worded(language).format(0, "second");
  const [unit, length] = fitting;
  return relative(language).format(Math.trunc(seconds / length), unit);
};
