import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { plainText, urlText } from "../../plain-text.ts";

/** The id of a provider as a client names it; whether there is such a one is told apart from bad input. */
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

const returned = {
  code: z.string().max(8192).optional(),
  state: plainText(512).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  device_id: z.string().max(2048).optional(),
  /** What Apple tells of somebody new, as JSON. */
  user: z.string().max(8192).optional(),
  /** The issuer of the answer (RFC 9207). */
  iss: z.string().max(2048).optional(),
};
const callback = {
  owner: "identity",
  exposure: "public",
  path: "/callback/{id}",
  params: z.object({ id: z.string() }),
  reply: z.null(),
  errors: [],
  access: "anyone",
  mayRedirect: true,
} as const;

/** Sign-in and linking at providers. */
export const socialOperations = {
  signInSocial: operation({
    name: "signInSocial",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/sign-in/social",
    summary:
      "Begins a sign-in at a provider and gives the URL to go to; with an id token, signs in at once.",
    body: z.object({
      provider: providerId,
      callbackURL: urlText.optional(),
      newUserCallbackURL: urlText.optional(),
      errorCallbackURL: urlText.optional(),
      disableRedirect: z.boolean().optional(),
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
                  firstName: plainText(512).optional(),
                  lastName: plainText(512).optional(),
                })
                .optional(),
            })
            .optional(),
        })
        .optional(),
    }),
    // Nothing is required, so that members are written in this order whichever are there.
    reply: z.object({
      url: z.string().optional(),
      redirect: z.boolean().optional(),
      token: z.string().optional(),
      user: userSchema.optional(),
    }),
    errors: [
      ...redirectErrors,
      ...startErrors,
      "ACCOUNT_NOT_LINKED",
      "SIGNUP_DISABLED",
      "UNABLE_TO_LINK_ACCOUNT",
      "UNABLE_TO_CREATE_USER",
      "UNABLE_TO_CREATE_SESSION",
      "EMAIL_NOT_VERIFIED",
      "BANNED_USER",
    ],
    access: "anyone",
    redirects: ["callbackURL", "errorCallbackURL", "newUserCallbackURL"],
  }),
  callback: operation({
    ...callback,
    name: "callback",
    method: "GET",
    summary: "Where a provider sends the browser back; signs in, links or tells what went wrong.",
    query: z.object(returned),
  }),
  callbackPost: operation({
    ...callback,
    name: "callbackPost",
    method: "POST",
    summary: "Where a provider posts its answer to; the browser goes on to the same by GET.",
    body: z.object(returned),
    bodyOptional: true,
    postedByProviders: true,
  }),
  linkSocial: operation({
    name: "linkSocial",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/link-social",
    summary: "Begins to link an account at a provider to the caller; with an id token, links it.",
    body: z.object({
      provider: providerId,
      callbackURL: urlText.optional(),
      errorCallbackURL: urlText.optional(),
      disableRedirect: z.boolean().optional(),
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
      "SESSION_IS_NOT_FRESH",
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
} as const;
