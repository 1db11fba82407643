import { lazyValue } from "./lazy-value.ts";
import { locale } from "./locale.ts";

/** As British English shortens them. */
const months = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split(" ");

const twoDigits = (amount: number): string => String(amount).padStart(2, "0");

/** A tenth of a second on a slow processor, so English has its own. */
const intlText = (timeStyle: "short" | "medium") =>
  lazyValue(() => new Intl.DateTimeFormat(locale.tag, { dateStyle: "medium", timeStyle }));
const toMinute = intlText("short");
const toSecond = intlText("medium");

const englishText = (date: Date): string =>
  `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;

/** Formats a time in the zone of this device to the minute, such as "27 Nov 2026, 04:10". */
export const minuteText = (date: Date): string =>
  locale.language === "en" ? englishText(date) : toMinute().format(date);

/** Formats a time as "27 Nov 2026, 04:10:33", in the zone of this device. */
export const secondText = (date: Date): string =>
  locale.language === "en"
    ? `${englishText(date)}:${twoDigits(date.getSeconds())}`
    : toSecond().format(date);
