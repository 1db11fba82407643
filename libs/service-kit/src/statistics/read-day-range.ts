import { refuseQuery } from "../lists/refuse-query.ts";
import { addDays, countDays, dayOf } from "./days.ts";

/** Days of UTC as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

const daysDefault = 30;
/** Nothing was counted before. */
const firstDay = "1970-01-01";

/**
 * The days that a query asks for, the last 30 where it says nothing. Throws `VALIDATION_ERROR` for none, and for more than
 * `daysMax`.
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
