import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { emailAddress } from "../../email-schemas.ts";
import { plainText, urlText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { orChallenge } from "../../two-factor-challenge.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const metadataLengthMax = 4_096;

/** Accepted and ignored: in the reference, only the application's own function for mails receives it. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => JSON.stringify(given).length <= metadataLengthMax, "is too long");

const places = {
  callbackURL: urlText.optional(),
  newUserCallbackURL: urlText.optional(),
  errorCallbackURL: urlText.optional(),
};
const redirects = ["callbackURL", "newUserCallbackURL", "errorCallbackURL"] as const;
const redirectErrors = [
  "INVALID_CALLBACKURL",
  "INVALID_NEWUSERCALLBACKURL",
  "INVALID_ERRORCALLBACKURL",
] as const;

const link = z.object({ token: plainText(1024), ...places });

const opening = {
  owner: "identity",
  exposure: "public",
  rateClass: "mailed link",
  path: "/magic-link/verify",
  feature: "magicLink",
  reply: orChallenge(z.object({ token: z.string(), user: fullUserSchema, session: sessionSchema })),
  errors: [
    "MAGIC_LINK_INVALID_TOKEN",
    "SIGNUP_DISABLED",
    "FIELD_IS_REQUIRED",
    "FAILED_TO_CREATE_USER",
    ["FAILED_TO_CREATE_USER", 422],
    "FAILED_TO_UPDATE_USER",
    ["FAILED_TO_CREATE_SESSION", 500],
    "BANNED_USER",
    "TWO_FACTOR_REQUIRED",
    ...redirectErrors,
  ],
  access: "anyone",
  redirects,
  mayRedirect: true,
  mailedLink: true,
  readsKept: ["magicLink"],
} as const;

/** Sign-in by a mailed link. */
export const magicLinkOperations = operationGroup("Links and codes by mail", {
  signInMagicLink: operation({
    name: "signInMagicLink",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "mailed link",
    method: "POST",
    path: "/sign-in/magic-link",
    summary: "Mails a link that signs in; the reply is the same for unknown addresses.",
    feature: "magicLink",
    body: z.object({
      email: emailAddress,
      name: plainText(1024).optional(),
      ...places,
      metadata: metadata.optional(),
    }),
    reply: status,
    errors: [...redirectErrors],
    access: "anyone",
    mailsOthers: true,
    redirects,
    readsKept: ["magicLink"],
  }),
  verifyMagicLink: operation({
    ...opening,
    name: "verifyMagicLink",
    stepUp: stepUps.noSession,
    method: "GET",
    summary: "Signs in by the token of a mailed link, or shows a confirmation page first.",
    query: link,
  }),
  verifyMagicLinkPost: operation({
    ...opening,
    name: "verifyMagicLinkPost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary: "Signs in by the token of a mailed link.",
    body: link,
  }),
});
