import { refuseQuery } from "../lists/read-page.ts";
import { addDays, countDays, dayOf } from "./days.ts";

/** A range of UTC days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

const daysDefault = 30;
/** There are no counts before this day. */
const firstDay = "1970-01-01";

/**
 * Returns the requested days, by default the last 30. Throws `VALIDATION_ERROR` for an invalid or empty range, and for more
 * than `daysMax` days.
 */
export const readDayRange = (
  { clock }: { clock: () => number },
  query: { from?: string | undefined; to?: string | undefined },
  daysMax: number,
): DayRange => {
  for (const name of ["from", "to"] as const)
    if ((query[name] ?? firstDay) < firstDay) refuseQuery(name, `must not be before ${firstDay}`);
  const to = query.to ?? dayOf(clock());
  const from = query.from ?? addDays(to, 1 - daysDefault);
  if (from > to) refuseQuery("from", "must not be after `to`");
  if (countDays(from, to) > daysMax)
    refuseQuery("from", `must be one of the ${daysMax} days up to \`to\``);
  return { from, to };
};
