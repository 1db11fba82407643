import { lazyByLanguage } from "@latchkey/ui/components/lazy-value.ts";
import { shownLanguage } from "../../languages.ts";

const dayFormat = lazyByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }),
);
const timeFormat = lazyByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
);

interface MomentProps {
  /** An ISO time as in replies. */
  at: string;
  /** Shows the day alone. */
  isDay?: boolean;
}

/** Writes a time in the zone of this device and in the language that is shown. */
export const momentText = (at: string): string => timeFormat(shownLanguage()).format(new Date(at));

/** Shows a time in the zone of this device and in the language that is shown. */
export const Moment = ({ at, isDay = false }: MomentProps) => (
  <time dateTime={at}>
    {isDay ? dayFormat(shownLanguage()).format(new Date(at)) : momentText(at)}
  </time>
);
