import { z } from "zod";
import { isPlace } from "../../routes/place-of.ts";

export const signInSearch = z.object({
  /** Why this page is shown instead of the requested one. */
  reason: z.enum(["ended", "demoted", "signed-out"]).optional().catch(undefined),
  /** The target after sign-in: a path of the admin web, never another site. */
  redirect: z.string().max(2048).refine(isPlace).optional().catch(undefined),
});
