import { createHash } from "node:crypto";
import { constantTimeEqual } from "@latchkey/crypto";
import { jwtVerify } from "jose";
import { createCall } from "./read-user.ts";
import { keySetOf } from "./key-set.ts";
import { algorithmsOf, type ClientIdTokenRules, toleratedSeconds } from "./provider.ts";
import type { Answer } from "./provider-call.ts";
import type { ProviderClient } from "./provider-client.ts";
import { readClaims } from "./token-answer.ts";

/** An id token that a client brings. */
export interface ClientIdToken {
  token: string;
  nonce: string | undefined;
}

/** Returns whether clients may bring id tokens of the provider. */
export const takesIdTokens = ({ definition, provider }: ProviderClient): boolean =>
  definition.clientIdToken !== undefined || provider.options.verifyIdToken !== undefined;

const isNonceGood = (
  { hashesNonce }: ClientIdTokenRules,
  claimed: unknown,
  given: string | undefined,
): boolean => {
  if (claimed === undefined) return given === undefined;
  if (typeof claimed !== "string" || given === undefined) return false;
  const hashed = createHash("sha256").update(given).digest("hex");
  return (
    constantTimeEqual(claimed, given) ||
    (Boolean(hashesNonce) && constantTimeEqual(claimed, hashed))
  );
};

const issuersOf = (
  { definition }: ProviderClient,
  rules: ClientIdTokenRules,
  token: string,
): string[] => {
  if (rules.issuers) return [...rules.issuers];
  const { issuer } = definition;
  const named = typeof issuer === "function" ? issuer(readClaims(token) ?? {}) : issuer;
  return named === undefined ? [] : [named];
};

const verifySigned = async (
  client: ProviderClient,
  rules: ClientIdTokenRules,
  token: string,
): Promise<Answer | undefined> => {
  const keys = keySetOf(client);
  const issuer = issuersOf(client, rules, token);
  if (!keys || issuer.length === 0) return undefined;
  const { payload } = await jwtVerify(token, keys, {
    algorithms: [...algorithmsOf(client.definition)],
    issuer,
    audience: [...(rules.audiences ?? client.provider.clientIds)],
    currentDate: new Date(client.now()),
    clockTolerance: toleratedSeconds,
    requiredClaims: ["sub", "exp"],
    ...(rules.maxAgeSeconds === undefined ? {} : { maxTokenAge: rules.maxAgeSeconds }),
  });
  return payload;
};

const isSigned = (token: string) => token.split(".").length === 3;

const verify = async (
  client: ProviderClient,
  idToken: ClientIdToken,
): Promise<Answer | undefined> => {
  const { definition, provider, within } = client;
  const { token, nonce } = idToken;
  const { verifyIdToken } = provider.options;
  if (verifyIdToken)
    return (await within(verifyIdToken(token, nonce))) ? (readClaims(token) ?? {}) : undefined;
  const rules = definition.clientIdToken;
  if (!rules) return undefined;
  const usesProvider = rules.ask && (definition.endpoints.jwks === undefined || !isSigned(token));
  const call = createCall(
    client,
    { tokens: { idToken: token }, claims: undefined, answer: {} },
    {},
  );
  const claims = usesProvider
    ? await rules.ask?.(call, idToken)
    : await verifySigned(client, rules, token);
  const isGood = claims && isNonceGood(rules, claims["nonce"], nonce);
  return isGood && (rules.accepts?.(claims) ?? true) ? claims : undefined;
};

/**
 * Returns the claims of a client id token. The token must be the provider's, for this client, not expired
 * and have the nonce that was sent, unless the application's own function vouches for it. Returns undefined for any other
 * token, and while the provider's keys are unavailable.
 */
export const verifyClientIdToken = async (
  client: ProviderClient,
  idToken: ClientIdToken,
): Promise<Answer | undefined> => {
  if (client.provider.options.disableIdTokenSignIn) return undefined;
  try {
    return await verify(client, idToken);
  } catch {
    return undefined;
  }
};
