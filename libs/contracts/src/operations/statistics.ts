import { z } from "zod";

/** Days of UTC that are asked about, both included; the last 30 where nothing is said. */
export const dayRange = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};

/** The most days that statistics tell of at once. */
export const statisticsDaysMax = 400;

/** What was counted on every day that is asked about, the first one first. */
export const dailyCounts = <const Name extends string>(...names: Name[]) => {
  const counts = Object.fromEntries(names.map((name) => [name, z.number()]));
  return z.object({
    days: z.array(z.object({ day: z.string(), ...(counts as Record<Name, z.ZodNumber>) })),
  });
};
