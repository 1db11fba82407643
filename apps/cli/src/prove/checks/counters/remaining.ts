import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { raceUses } from "../../race-uses.ts";

const uses = 5;

/** Checks that concurrent uses of a key never exceed its remaining uses. */
export const remaining: Check = {
  class: "counters",
  name: `of many uses at once a key with ${uses} left has ${uses}`,
  remedy: "Uses of keys are miscounted. Compare key usage with what you bill, and update Latchkey.",
  run: async (context) => {
    context.keys();
    const { ada } = await context.people();
    const { key } = await createKey(context, ada, { remaining: uses, rateLimitEnabled: false });
    return raceUses(context, key, uses);
  },
};
