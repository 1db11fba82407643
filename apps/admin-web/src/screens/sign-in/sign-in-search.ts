import { z } from "zod";
import { isPlace } from "../../routes/place-of.ts";

export const signInSearch = z.object({
  /** Why this page is shown instead of the one asked for. */
  reason: z.enum(["ended", "demoted", "signed-out"]).optional().catch(undefined),
  /** Where to go then: a path of this web, never another site. */
  redirect: z.string().max(2048).refine(isPlace).optional().catch(undefined),
});
