import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { anyEmail } from "../../email-schemas.ts";
import { plainText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAnyone = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  method: "POST",
  feature: "admin",
  access: "anyone",
} as const;
const token = plainText(1024);

/**
 * Creates the first admin of an installation by the link that is printed at its start. The token travels only in bodies, because URLs
 * end up in logs.
 */
export const firstRunOperations = operationGroup("Admin", {
  checkFirstRun: operation({
    ...ofAnyone,
    name: "checkFirstRun",
    stepUp: stepUps.noSession,
    rateClass: "strict",
    path: "/admin/first-run/check",
    summary: "Returns whether the token of a first-run link can still create the first admin.",
    body: z.object({ token }),
    reply: z.object({ isOpen: z.boolean() }),
    errors: [],
    repeatable: true,
  }),
  completeFirstRun: operation({
    ...ofAnyone,
    name: "completeFirstRun",
    stepUp: stepUps.noSession,
    rateClass: "strict",
    path: "/admin/first-run",
    summary:
      "Creates the first admin by the token of a first-run link, and signs them in unless a second factor is required of them.",
    body: z
      .looseObject({
        token,
        name: plainText(1024),
        email: anyEmail,
        password: z.string(),
      })
      .meta({ inputFieldsOf: "user" }),
    reply: z.object({
      /** Null if a second factor is required of admins, which the first sign-in sets up. */
      token: z.string().nullable(),
      user: userSchema,
    }),
    errors: [
      ["INVALID_TOKEN", 403],
      "INVALID_EMAIL",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "USER_ALREADY_EXISTS",
      "FIELD_IS_REQUIRED",
      "FAILED_TO_CREATE_USER",
      ["FAILED_TO_CREATE_USER", 422],
      ["FAILED_TO_CREATE_SESSION", 400],
    ],
    password: "set",
  }),
});
