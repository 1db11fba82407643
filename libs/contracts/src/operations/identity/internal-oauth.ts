import { z } from "zod";
import { authenticationSchema } from "../../authentication.ts";
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
  startDeviceSession: operation({
    name: "startDeviceSession",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/start-device-session",
    summary:
      "Starts the session of a device that a user has allowed. Null for an unknown or banned user, and after the end of all grants.",
    body: z.object({
      userId: plainText(255),
      /** The epoch at which the user allowed it. */
      accessEpoch: z.int(),
      /** How the user was authenticated in the session in which they allowed it. */
      authentication: authenticationSchema,
      /** Of the device. */
      address: z.string().max(100),
      userAgent: z.string().max(2_048),
    }),
    reply: z.object({ token: z.string(), expiresAt: z.string() }).nullable(),
    errors: [],
    access: "anyone",
  }),
} as const;
