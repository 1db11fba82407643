import { z } from "zod";

export const signInSearch = z.object({
  /** Why this page is shown instead of the one asked for. */
  reason: z.enum(["ended", "demoted", "signed-out"]).optional().catch(undefined),
  /** Where to go then: a path of this web, never another site. */
  redirect: z
    .string()
    .regex(/^\/(?![/\\])/)
    .max(2048)
    .optional()
    .catch(undefined),
});
