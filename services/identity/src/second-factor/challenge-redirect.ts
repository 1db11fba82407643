import type { TwoFactorChallenge } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { addQuery } from "../sign-in/add-query.ts";

/** Returns where a redirecting sign-in continues with its second factor: at the configured page, or at the callback URL. */
export const challengeRedirect = (
  { config: { twoFactor } }: Pick<Deps, "config">,
  { twoFactorMethods, twoFactorEnrolment }: TwoFactorChallenge,
  callbackURL: string,
): string =>
  addQuery(twoFactor.pageURL ?? callbackURL, {
    twoFactorRedirect: "true",
    twoFactorMethods: twoFactorMethods.join(","),
    ...(twoFactorEnrolment ? { twoFactorEnrolment: "true" } : {}),
    ...(twoFactor.pageURL === undefined ? {} : { callbackURL }),
  });
