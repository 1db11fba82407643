import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { NotProven } from "../../not-proven.ts";
import { raceUses } from "../../race-uses.ts";

const uses = 4;
const windowMilliseconds = 3_600_000;

/** A key is used as often as its rate allows, however many use it at once. */
export const keyRate: Check = {
  class: "counters",
  name: `of many uses at once a key for ${uses} an hour has ${uses}`,
  remedy: "Rates of keys are counted wrong. Update Latchkey.",
  run: async (ground) => {
    ground.keys();
    if (ground.option("apiKey.rateLimit.enabled") === false)
      throw new NotProven("apiKey.rateLimit.enabled");
    const { ada } = await ground.people();
    const { key } = await createKey(ground, ada, {
      rateLimitEnabled: true,
      rateLimitMax: uses,
      rateLimitTimeWindow: windowMilliseconds,
    });
    return raceUses(ground, key, uses);
  },
};
