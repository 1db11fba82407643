import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { namedAccountOf } from "./accounts.ts";
import { operationGroup } from "../../operation-group.ts";

/** The tokens of an account at its provider. Unknown members are left out. */
const providerTokens = z.object({
  tokenType: z.string().optional(),
  /** Only for a session that has authenticated lately, and not during an impersonation. Its holder can sign in with it. */
  idToken: z.string().optional(),
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
  accessTokenExpiresAt: timestamp.optional(),
  refreshTokenExpiresAt: timestamp.optional(),
  scopes: z.array(z.string()).optional(),
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
  rateClass: "general",
  method: "POST",
  body: namedAccountOf,
  reply: providerTokens,
  access: "session",
  refusesImpersonators: true,
  refusesApiKeys: true,
  jsonOnly: true,
} as const;
const ofAnyUser = {
  ...ofCaller,
  exposure: "internal",
  rateClass: "none",
  access: "anyone",
  refusesImpersonators: false,
  refusesApiKeys: false,
} as const;

const accountInfoInput = z.object({
  /** The account's own id, or its id at the provider. */
  accountId: plainText(1024),
});
const ofAccountInfo = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  path: "/account-info",
  summary: "Returns the profile of one of the caller's accounts, as its provider reports it.",
  reply: z.object({
    user: z.looseObject({
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      image: z.string().nullable(),
      emailVerified: z.boolean(),
    }),
    account: z.object({ id: z.string(), providerId: z.string(), accountId: z.string() }),
    data: z.record(z.string(), z.unknown()),
  }),
  errors: [
    "ACCOUNT_NOT_FOUND",
    "PROVIDER_IS_NOT_CONFIGURED",
    "FAILED_TO_GET_A_VALID_ACCESS_TOKEN",
    "FAILED_TO_GET_USER_INFO",
  ],
  access: "session",
} as const;

/** The tokens that providers issued for a user's accounts. */
export const providerTokenOperations = operationGroup("Tokens of providers", {
  getAccessToken: operation({
    ...ofCaller,
    name: "getAccessToken",
    stepUp: stepUps.accessToken,
    path: "/get-access-token",
    summary:
      "Returns a valid access token of one of the caller's accounts, refreshed if necessary.",
    errors: getErrors,
  }),
  refreshToken: operation({
    ...ofCaller,
    name: "refreshToken",
    stepUp: stepUps.accessToken,
    path: "/refresh-token",
    summary: "Refreshes the tokens of one of the caller's accounts.",
    errors: refreshErrors,
  }),
  getAccessTokenOf: operation({
    ...ofAnyUser,
    name: "getAccessTokenOf",
    stepUp: stepUps.services,
    path: "/get-access-token",
    summary: "Returns a valid access token of an account of the user `userId`.",
    errors: ["EITHER_USERID_OR_SESSION_IS_REQUIRED", ...getErrors],
  }),
  refreshTokenOf: operation({
    ...ofAnyUser,
    name: "refreshTokenOf",
    stepUp: stepUps.services,
    path: "/refresh-token",
    summary: "Refreshes the tokens of an account of the user `userId`.",
    errors: ["EITHER_USERID_OR_SESSION_IS_REQUIRED", ...refreshErrors],
  }),
  accountInfo: operation({
    ...ofAccountInfo,
    method: "POST",
    name: "accountInfo",
    stepUp: stepUps.reads,
    body: accountInfoInput,
    jsonOnly: true,
  }),
  readAccountInfo: operation({
    ...ofAccountInfo,
    method: "GET",
    name: "readAccountInfo",
    stepUp: stepUps.reads,
    query: accountInfoInput,
  }),
});
