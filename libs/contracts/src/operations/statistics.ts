import { z } from "zod";

/** The requested UTC days, both included. The default is the last 30. */
export const dayRange = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};

/** The most days that one reply of statistics covers. */
export const statisticsDaysMax = 400;

/** The counts of each requested day, oldest first. */
export const dailyCounts = <const Name extends string>(...names: Name[]) => {
  const counts = Object.fromEntries(names.map((name) => [name, z.number()]));
  return z.object({
    days: z.array(z.object({ day: z.string(), ...(counts as Record<Name, z.ZodNumber>) })),
  });
};
