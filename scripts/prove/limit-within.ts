import type { Ground } from "./ground.ts";
import { NotProven } from "./not-proven.ts";

/** A limit of the deployment, where a run may come up to it. Throws `NotProven` where there is none, or one that is too far off. */
export const limitWithin = ({ option, measure: { fill } }: Ground, name: string): number => {
  const limit = option(name);
  if (typeof limit !== "number") throw new NotProven(`a number as ${name}`);
  if (limit < 1) throw new NotProven(`${name} of 1 at least, not ${limit}`);
  if (limit > fill) throw new NotProven(`--fill ${limit}, to come up to ${name}`);
  return limit;
};
