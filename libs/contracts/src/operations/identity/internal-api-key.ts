import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";

/** Operations of identity for the apikey service. */
export const internalApiKeySupport = {
  findKeyOwner: operation({
    name: "findKeyOwner",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/find-key-owner",
    summary:
      "Returns the complete user of an id, or null. The reply marks a ban and a required second factor.",
    body: z.object({ userId: plainText(255) }),
    reply: z
      .object({
        user: fullUserSchema,
        isBanned: z.boolean(),
        /** Whether the installation requires a second factor of the user now. Absent in replies of earlier versions. */
        needsSecondFactor: z.boolean().optional(),
      })
      .nullable(),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
