import { z } from "zod";
import { fullUserSchema, userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, urlText } from "../../plain-text.ts";
import { orChallenge } from "../../two-factor-challenge.ts";
import { operationGroup } from "../../operation-group.ts";

/** The id of a provider as a client names it. An unknown provider has its own error, separate from invalid input. */
export const providerId = plainText(255);

const token = plainText(16_384);
const scopes = z.array(plainText(512)).max(100);
const additionalParams = z
  .record(plainText(255), plainText(2048))
  .refine((given) => Object.keys(given).length <= 20, "at most 20")
  .optional();

const redirectErrors = [
  "INVALID_CALLBACKURL",
  "INVALID_ERRORCALLBACKURL",
  "INVALID_NEWUSERCALLBACKURL",
] as const;
const startErrors = [
  "PROVIDER_NOT_FOUND",
  "CALLBACKURL_IS_REQUIRED",
  "UNABLE_TO_CREATE_VERIFICATION",
  "ID_TOKEN_NOT_SUPPORTED",
  ["INVALID_TOKEN", 401],
  "FAILED_TO_GET_USER_INFO",
  "USER_EMAIL_NOT_FOUND",
] as const;

/** Why a user whom the provider asserts is not signed in. */
const signInErrors = [
  "ACCOUNT_NOT_LINKED",
  "SIGNUP_DISABLED",
  "UNABLE_TO_LINK_ACCOUNT",
  "UNABLE_TO_CREATE_USER",
  "UNABLE_TO_CREATE_SESSION",
  "EMAIL_NOT_VERIFIED",
  "BANNED_USER",
  "TWO_FACTOR_REQUIRED",
] as const;

const returned = {
  code: z.string().max(8192).optional(),
  state: plainText(1024).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  device_id: z.string().max(2048).optional(),
  /** The JSON object that Apple sends about a new user. */
  user: z.string().max(8192).optional(),
  /** The issuer of the response (RFC 9207). */
  iss: z.string().max(2048).optional(),
};
const returning = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  reply: z.null(),
  access: "anyone",
  mayRedirect: true,
} as const;
const params = z.object({ id: z.string() });
const callback = { ...returning, path: "/callback/{id}", params, errors: [] } as const;

const disableRedirect = z
  .boolean()
  .optional()
  .describe("If true, `redirect` is false and the reply has no `Location` header.");

const forwarded = {
  ...returning,
  stepUp: stepUps.noSession,
  method: "GET",
  feature: "oauthProxy",
  query: z.object({
    callbackURL: urlText.optional().describe("Is checked and has no effect: the start named it."),
    state: plainText(512).optional(),
    profile: z
      .string()
      .max(16_384)
      .optional()
      .describe("The response of the provider, sealed. It works once, and for 60 seconds."),
  }),
  errors: ["INVALID_CALLBACKURL"],
  redirects: ["callbackURL"],
  worksOnce: true,
} as const;

/** Sign-in and account linking at providers. */
export const socialOperations = operationGroup("Sign-in at providers", {
  signInSocial: operation({
    name: "signInSocial",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/sign-in/social",
    summary:
      "Starts a sign-in at a provider and returns the URL to redirect to; with an id token, signs in at once.",
    body: z.object({
      provider: providerId,
      callbackURL: urlText.optional(),
      newUserCallbackURL: urlText.optional(),
      errorCallbackURL: urlText.optional(),
      disableRedirect,
      scopes: scopes.optional(),
      requestSignUp: z.boolean().optional(),
      loginHint: plainText(320).optional(),
      additionalParams,
      idToken: z
        .object({
          token,
          nonce: plainText(1024).optional(),
          accessToken: token.optional(),
          refreshToken: token.optional(),
          expiresAt: z.number().optional(),
          user: z
            .object({
              name: z
                .object({
                  firstName: plainText(512).nullish(),
                  lastName: plainText(512).nullish(),
                })
                .nullish(),
            })
            .optional(),
        })
        .optional(),
    }),
    // No member is required, so that members are always serialized in this order.
    reply: orChallenge(
      z.object({
        url: z.string().optional(),
        redirect: z.boolean().optional(),
        token: z.string().optional(),
        user: userSchema.optional(),
      }),
    ),
    errors: [...redirectErrors, ...startErrors, ...signInErrors],
    access: "anyone",
    redirects: ["callbackURL", "errorCallbackURL", "newUserCallbackURL"],
  }),
  signInOneTap: operation({
    name: "signInOneTap",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/one-tap/callback",
    summary: "Signs in by the id token of Google One Tap, which works once and for 60 seconds.",
    feature: "oneTap",
    body: z.object({
      idToken: token,
      callbackURL: urlText.optional(),
      nonce: plainText(1024)
        .optional()
        .describe("The nonce that was given to Google. A token with another one is refused."),
    }),
    reply: orChallenge(z.object({ token: z.string(), user: fullUserSchema })),
    errors: [
      "INVALID_CALLBACKURL",
      "INVALID_ID_TOKEN",
      "EMAIL_NOT_AVAILABLE_IN_TOKEN",
      "FAILED_TO_GET_USER_INFO",
      "PROVIDER_NOT_FOUND",
      ...signInErrors,
    ],
    access: "anyone",
    redirects: ["callbackURL"],
    jsonOnly: true,
  }),
  openInAppBrowser: operation({
    name: "openInAppBrowser",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/expo-authorization-proxy",
    summary:
      "Redirects the browser of a mobile app to the provider, for a sign-in that the app has started.",
    query: z.object({
      /** The URL that the app received when it started the sign-in. */
      authorizationURL: z.string().max(16_384),
    }),
    reply: z.null(),
    errors: ["INVALID_AUTHORIZATIONURL", "PROVIDER_NOT_FOUND"],
    access: "anyone",
    mayRedirect: true,
    worksOnce: true,
  }),
  callback: operation({
    ...callback,
    name: "callback",
    stepUp: stepUps.noSession,
    method: "GET",
    summary: "Callback of a provider: signs in, links an account, or reports the error.",
    query: z.object(returned),
    worksOnce: true,
  }),
  callbackPost: operation({
    ...callback,
    name: "callbackPost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary:
      "Callback that a provider posts to; redirects the browser to the same callback by GET.",
    body: z.object(returned),
    bodyOptional: true,
    postedByProviders: true,
  }),
  oauthProxyCompletion: operation({
    ...forwarded,
    name: "oauthProxyCompletion",
    path: "/callback/{id}/oauth-proxy",
    params,
    summary: "Callback of a preview: takes the response of a provider that production forwards.",
  }),
  oauthProxyCallback: operation({
    ...forwarded,
    name: "oauthProxyCallback",
    path: "/oauth-proxy-callback",
    summary: "Former path of the callback of a preview.",
  }),
  linkSocial: operation({
    name: "linkSocial",
    stepUp: stepUps.linksAccount,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/link-social",
    summary:
      "Starts to link an account at a provider to the caller; with an id token, links it at once.",
    body: z.object({
      provider: providerId,
      callbackURL: urlText.optional(),
      errorCallbackURL: urlText.optional(),
      disableRedirect,
      scopes: scopes.optional(),
      requestSignUp: z.boolean().optional(),
      loginHint: plainText(320).optional(),
      additionalParams,
      idToken: z
        .object({
          token,
          nonce: plainText(1024).optional(),
          accessToken: token.optional(),
          refreshToken: token.optional(),
          scopes: scopes.optional(),
        })
        .optional(),
    }),
    reply: z.union([
      z.strictObject({ url: z.string(), redirect: z.boolean() }),
      z.strictObject({ redirect: z.literal(false), url: z.literal(""), status: z.literal(true) }),
    ]),
    errors: [
      ...redirectErrors.slice(0, 2),
      ...startErrors,
      "ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED",
      "ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED",
      "ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT",
      ["SOCIAL_ACCOUNT_ALREADY_LINKED", 409],
    ],
    access: "session",
    refusesImpersonators: true,
    refusesApiKeys: true,
    redirects: ["callbackURL", "errorCallbackURL"],
    jsonOnly: true,
  }),
});
