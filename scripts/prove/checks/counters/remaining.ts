import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { raceUses } from "../../race-uses.ts";

const uses = 5;

/** A key is used as often as it has uses left, however many use it at once. */
export const remaining: Check = {
  class: "counters",
  name: `of many uses at once a key with ${uses} left has ${uses}`,
  remedy: "Uses of keys are counted wrong. Compare key usage with what you sell by it, and update.",
  run: async (ground) => {
    ground.keys();
    const { ada } = await ground.people();
    const { key } = await createKey(ground, ada, { remaining: uses, rateLimitEnabled: false });
    return raceUses(ground, key, uses);
  },
};
