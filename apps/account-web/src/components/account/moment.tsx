import { shownLanguage } from "../../languages.ts";

interface MomentProps {
  /** An ISO time as in replies. */
  at: string;
  /** Shows the day alone. */
  isDay?: boolean;
}

/** Returns a function that writes a time in the zone of this device and in the language that is shown. */
export const useMomentText = (): ((at: string) => string) => {
  const format = new Intl.DateTimeFormat(shownLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return (at) => format.format(new Date(at));
};

/** Shows a time in the zone of this device and in the language that is shown. */
export const Moment = ({ at, isDay = false }: MomentProps) => {
  const format = new Intl.DateTimeFormat(shownLanguage(), {
    dateStyle: "medium",
    ...(!isDay && { timeStyle: "short" }),
  });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
};
