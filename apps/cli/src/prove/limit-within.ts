import type { CheckContext } from "./check-context.ts";
import { NotProven } from "./not-proven.ts";

/** Returns a limit of the deployment that a run may reach. Throws `NotProven` if there is none, or it is too high. */
export const limitWithin = ({ option, measure: { fill } }: CheckContext, name: string): number => {
  const limit = option(name);
  if (typeof limit !== "number") throw new NotProven(`a number as ${name}`);
  if (limit < 1) throw new NotProven(`${name} of 1 at least, not ${limit}`);
  if (limit > fill) throw new NotProven(`--fill ${limit}, to come up to ${name}`);
  return limit;
};
