import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { raceUses } from "../../race-uses.ts";

/** Checks that a key with one remaining use is used once. */
export const lastUse: Check = {
  class: "once",
  name: "a key with one use left is used once",
  remedy: "A use of a key was counted twice. Update Latchkey.",
  run: async (context) => {
    context.keys();
    const { ada } = await context.people();
    const { key } = await createKey(context, ada, { remaining: 1, rateLimitEnabled: false });
    return raceUses(context, key, 1);
  },
};
