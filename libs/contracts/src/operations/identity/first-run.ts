import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { anyEmail, plainText } from "../../plain-text.ts";

const ofAnyone = {
  owner: "identity",
  exposure: "public",
  method: "POST",
  feature: "admin",
  access: "anyone",
} as const;
const token = plainText(1024);

/**
 * How an installation without any admin gets its first one: by the link that its start has printed. Its token travels in bodies
 * alone, because addresses end in logs.
 */
export const firstRunOperations = {
  checkFirstRun: operation({
    ...ofAnyone,
    name: "checkFirstRun",
    path: "/admin/first-run/check",
    summary: "Says whether the token of a first-run link makes the first admin still.",
    body: z.object({ token }),
    reply: z.object({ isOpen: z.boolean() }),
    errors: [],
    repeatable: true,
  }),
  completeFirstRun: operation({
    ...ofAnyone,
    name: "completeFirstRun",
    path: "/admin/first-run",
    summary: "Creates the first admin by the token of a first-run link, and signs them in.",
    body: z
      .looseObject({
        token,
        name: plainText(1024),
        email: anyEmail,
        password: z.string(),
      })
      .meta({ inputFieldsOf: "user" }),
    reply: z.object({ token: z.string(), user: userSchema }),
    errors: [
      ["INVALID_TOKEN", 403],
      "INVALID_EMAIL",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "USER_ALREADY_EXISTS",
      "FIELD_IS_REQUIRED",
      "FAILED_TO_CREATE_USER",
      ["FAILED_TO_CREATE_USER", 422],
      ["FAILED_TO_CREATE_SESSION", 400],
    ],
  }),
} as const;
