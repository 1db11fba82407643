import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, urlText } from "../../plain-text.ts";
import { operationGroup } from "../../operation-group.ts";

const ofTokens = {
  owner: "identity",
  exposure: "public",
  // Nobody can guess a token, and the server of an application exchanges those of all its users.
  rateClass: "general",
  feature: "oneTimeToken",
} as const;

/** The sign-in in applications of other sites, whose pages do not see the cookie. */
export const oneTimeTokenOperations = operationGroup("Sign-in on other sites", {
  generateOneTimeToken: operation({
    ...ofTokens,
    name: "generateOneTimeToken",
    stepUp: stepUps.sameSession,
    method: "GET",
    path: "/one-time-token/generate",
    summary:
      "Returns a token that the application of `callbackURL` can exchange once for the caller's session, within a minute.",
    query: z.object({ callbackURL: urlText.optional() }),
    reply: z.object({ token: z.string() }),
    errors: ["INVALID_CALLBACKURL"],
    access: "session",
    admitsGuests: true,
    refusesImpersonators: true,
    refusesApiKeys: true,
    redirects: ["callbackURL"],
  }),
  returnToApplication: operation({
    ...ofTokens,
    name: "returnToApplication",
    stepUp: stepUps.noSession,
    method: "GET",
    path: "/one-time-token/return",
    summary:
      "Leads the browser to a page of `oneTimeToken.callbackURLs` with a one-time token, or with an error if nobody is signed in.",
    query: z.object({ callbackURL: urlText }),
    reply: z.null(),
    errors: ["INVALID_CALLBACKURL"],
    access: "anyone",
    redirects: ["callbackURL"],
    mayRedirect: true,
  }),
  verifyOneTimeToken: operation({
    ...ofTokens,
    name: "verifyOneTimeToken",
    stepUp: stepUps.noSession,
    method: "POST",
    path: "/one-time-token/verify",
    summary:
      "Exchanges a one-time token for the session that it stands for, in the application for which it was issued.",
    body: z.object({ token: plainText(128).min(1) }),
    reply: z.object({ session: sessionSchema, user: fullUserSchema }),
    errors: ["ONE_TIME_TOKEN_INVALID"],
    access: "anyone",
    jsonOnly: true,
  }),
});
