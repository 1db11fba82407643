import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import { raceUses } from "../../race-uses.ts";

/** A key that has one use left is used once. */
export const lastUse: Check = {
  class: "once",
  name: "a key with one use left is used once",
  remedy: "A use of a key was counted twice. Update Latchkey.",
  run: async (ground) => {
    ground.keys();
    const { ada } = await ground.people();
    const { key } = await createKey(ground, ada, { remaining: 1, rateLimitEnabled: false });
    return raceUses(ground, key, 1);
  },
};
