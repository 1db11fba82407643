import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { NotProven } from "../../not-proven.ts";
import { raceUses } from "../../race-uses.ts";

const uses = 4;
const windowMilliseconds = 3_600_000;

/** Checks that concurrent uses of a key never exceed its rate. */
export const keyRate: Check = {
  class: "counters",
  name: `of many uses at once a key for ${uses} an hour has ${uses}`,
  remedy: "Rates of keys are miscounted. Update Latchkey.",
  run: async (context) => {
    context.keys();
    if (context.option("apiKey.rateLimit.enabled") === false)
      throw new NotProven("apiKey.rateLimit.enabled");
    const { ada } = await context.people();
    const { key } = await createKey(context, ada, {
      rateLimitEnabled: true,
      rateLimitMax: uses,
      rateLimitTimeWindow: windowMilliseconds,
    });
    return raceUses(context, key, uses);
  },
};
