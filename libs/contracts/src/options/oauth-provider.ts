import { z } from "zod";
import { plainText } from "../plain-text.ts";
import { pageUrl, seconds, section } from "./option.ts";

/** A scope name (RFC 6749 section 3.3). */
const scopeName = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, "must be a scope name");

/** The identifier of a resource (RFC 8707 section 2): an absolute URL without fragment, in the form that URL parsers write. */
export const resourceIdentifier = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2_048)
  .refine(
    (text) => {
      const url = URL.parse(text);
      const isPlain = url?.username === "" && url.password === "" && !text.includes("#");
      return isPlain && [url.href, `${text}/`].includes(url.href) && !text.includes("\\");
    },
    { error: "must be written as URL parsers write it, without user and fragment" },
  );

const resource = z.strictObject({
  identifier: resourceIdentifier,
  name: plainText(200).optional(),
  scopes: z.array(scopeName).max(100).default([]),
  /** Clients that registered themselves get tokens for it too, as those of the Model Context Protocol do. */
  registeredClients: z.boolean().default(false),
  accessTokenFormat: z.enum(["jwt", "opaque"]).default("jwt"),
  /** Nothing revokes a JWT, so it lives ten minutes at most. */
  accessTokenExpiresIn: seconds.min(60).max(600).default(600),
});
/** An API for which clients get access tokens. */
export type OauthResource = z.output<typeof resource>;

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
  resources: z
    .array(resource)
    .max(100)
    .default([])
    .refine((list) => new Set(list.map(({ identifier }) => identifier)).size === list.length, {
      error: "must have different identifiers",
    })
    .describe(
      "APIs for which clients get access tokens of their own (RFC 8707): `{ identifier, name, scopes, registeredClients, accessTokenFormat, accessTokenExpiresIn }`.",
    ),
  enforcePerClientResources: z
    .boolean()
    .default(true)
    .describe("A client gets tokens only for the resources that an admin has given to it."),
  allowDynamicClientRegistration: z
    .boolean()
    .default(false)
    .describe(
      "Clients register themselves (RFC 7591) with a token that an admin creates. Users see that nobody has verified them.",
    ),
  allowUnauthenticatedClientRegistration: z
    .boolean()
    .default(false)
    .describe(
      "Clients need no token to register, as those of the Model Context Protocol have none.",
    ),
  clientRegistrationAllowedScopes: z
    .array(scopeName)
    .default(["openid", "profile", "email", "offline_access"])
    .describe(
      "The most that clients get which were not created by an admin, beside scopes of resources.",
    ),
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
