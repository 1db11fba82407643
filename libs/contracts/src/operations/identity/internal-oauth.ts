import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";

/** Operations of identity for the oauth service. */
export const internalOauthSupport = {
  findGrantSubject: operation({
    name: "findGrantSubject",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/find-grant-subject",
    summary:
      "Returns a user who may sign in, the number of times that all grants of the user have ended, and whether a session of the user lives. Null for an unknown or banned user.",
    body: z.object({
      userId: plainText(255),
      /** The hash of the token of a session, in hex, or null. */
      sessionId: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
    }),
    reply: z
      .object({
        user: fullUserSchema,
        accessEpoch: z.number(),
        /** True without a session id. */
        hasSession: z.boolean(),
      })
      .nullable(),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
