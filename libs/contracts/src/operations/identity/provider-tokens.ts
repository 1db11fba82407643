import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { providerId } from "./social.ts";

/** Tokens of an account at its provider; a member that is not known is left out. */
const providerTokens = z.object({
  tokenType: z.string().optional(),
  idToken: z.string().optional(),
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
  accessTokenExpiresAt: timestamp.optional(),
  refreshTokenExpiresAt: timestamp.optional(),
  scopes: z.array(z.string()).optional(),
});

const named = z.object({
  providerId,
  /** The account's own id, or that at the provider. */
  accountId: plainText(1024).optional(),
  userId: plainText(255).optional(),
});
const errors = ["PROVIDER_IS_NOT_SUPPORTED", "ACCOUNT_NOT_FOUND"] as const;
const getErrors = [...errors, "FAILED_TO_GET_A_VALID_ACCESS_TOKEN"] as const;
const refreshErrors = [
  ...errors,
  "PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING",
  "FAILED_TO_REFRESH_ACCESS_TOKEN",
] as const;
const ofCaller = {
  owner: "identity",
  exposure: "public",
  method: "POST",
  body: named,
  reply: providerTokens,
  access: "session",
  refusesImpersonators: true,
  refusesApiKeys: true,
  jsonOnly: true,
} as const;
const ofAnyUser = {
  ...ofCaller,
  exposure: "internal",
  access: "anyone",
  refusesImpersonators: false,
  refusesApiKeys: false,
} as const;

/** The tokens that providers gave for a user's accounts. */
export const providerTokenOperations = {
  getAccessToken: operation({
    ...ofCaller,
    name: "getAccessToken",
    path: "/get-access-token",
    summary:
      "Gives a good access token of one of the caller's accounts, refreshed where it is due.",
    errors: getErrors,
  }),
  refreshToken: operation({
    ...ofCaller,
    name: "refreshToken",
    path: "/refresh-token",
    summary: "Refreshes the tokens of one of the caller's accounts.",
    errors: refreshErrors,
  }),
  getAccessTokenOf: operation({
    ...ofAnyUser,
    name: "getAccessTokenOf",
    path: "/get-access-token",
    summary: "Gives a good access token of an account of the user `userId`.",
    errors: ["EITHER_USERID_OR_SESSION_IS_REQUIRED", ...getErrors],
  }),
  refreshTokenOf: operation({
    ...ofAnyUser,
    name: "refreshTokenOf",
    path: "/refresh-token",
    summary: "Refreshes the tokens of an account of the user `userId`.",
    errors: ["EITHER_USERID_OR_SESSION_IS_REQUIRED", ...refreshErrors],
  }),
  accountInfo: operation({
    owner: "identity",
    exposure: "public",
    method: "POST",
    name: "accountInfo",
    path: "/account-info",
    summary: "Gives what the provider of one of the caller's accounts says of its user.",
    body: z.object({ accountId: plainText(1024) }),
    reply: z.object({
      user: z.looseObject({
        id: z.string(),
        name: z.string(),
        email: z.string().nullable(),
        image: z.string().nullable(),
        emailVerified: z.boolean(),
      }),
      data: z.record(z.string(), z.unknown()),
    }),
    errors: [
      "ACCOUNT_NOT_FOUND",
      "PROVIDER_IS_NOT_CONFIGURED",
      "FAILED_TO_GET_A_VALID_ACCESS_TOKEN",
      "FAILED_TO_GET_USER_INFO",
    ],
    access: "session",
    jsonOnly: true,
  }),
} as const;
