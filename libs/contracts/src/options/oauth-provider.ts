import { z } from "zod";
import { pageUrl, seconds, section } from "./option.ts";

/** A scope name (RFC 6749 section 3.3). */
const scopeName = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, "must be a scope name");

export const oauthProviderOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Other applications sign users in with Latchkey, by OAuth 2.1 and OpenID Connect. Set `baseURL` too, because it is the issuer that they know.",
    ),
  scopes: z
    .array(scopeName)
    .default(["openid", "profile", "email", "offline_access"])
    .describe("Scopes that clients may have. Other names than the default ones are your own."),
  loginPage: pageUrl
    .optional()
    .describe("Page on which users sign in. By default that of the account web."),
  consentPage: pageUrl
    .optional()
    .describe("Page on which users grant scopes. By default that of the account web."),
  accessTokenExpiresIn: seconds
    .min(60)
    .max(86_400)
    .default(3_600)
    .describe("Lifetime of an access token of a user, in seconds."),
  m2mAccessTokenExpiresIn: seconds
    .min(60)
    .max(86_400)
    .default(3_600)
    .describe("Lifetime of an access token of a client itself, in seconds."),
  idTokenExpiresIn: seconds
    .min(60)
    .max(86_400)
    .default(3_600)
    .describe("Lifetime of an ID token, in seconds."),
  refreshTokenExpiresIn: seconds
    .min(60)
    .default(2_592_000)
    .describe(
      "Seconds after its last use at which a refresh token expires. By default 30 days, and in any case a year after the sign-in.",
    ),
  codeExpiresIn: seconds
    .min(10)
    .max(600)
    .default(60)
    .describe("Lifetime of an authorization code, in seconds."),
});
