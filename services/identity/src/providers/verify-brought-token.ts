import { createHash } from "node:crypto";
import { constantTimeEqual } from "@latchkey/crypto";
import { jwtVerify } from "jose";
import { createCall } from "./create-call.ts";
import { keySetOf } from "./key-set.ts";
import { algorithmsOf, type Answer, type BroughtTokenRules } from "./provider.ts";
import type { Talk } from "./talk.ts";
import { readClaims } from "./token-answer.ts";

/** An id token that a client brings. */
export interface BroughtToken {
  token: string;
  nonce: string | undefined;
}

/** Whether clients may bring id tokens of the provider. */
export const takesIdTokens = ({ definition, provider }: Talk): boolean =>
  definition.brought !== undefined || provider.options.verifyIdToken !== undefined;

const isNonceGood = (
  { hashesNonce }: BroughtTokenRules,
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

const issuersOf = ({ definition }: Talk, rules: BroughtTokenRules, token: string): string[] => {
  if (rules.issuers) return [...rules.issuers];
  const { issuer } = definition;
  const named = typeof issuer === "function" ? issuer(readClaims(token) ?? {}) : issuer;
  return named === undefined ? [] : [named];
};

/** By how much clocks may differ. */
const toleratedSeconds = 30;

const verifySigned = async (
  talk: Talk,
  rules: BroughtTokenRules,
  token: string,
): Promise<Answer | undefined> => {
  const keys = keySetOf(talk);
  const issuer = issuersOf(talk, rules, token);
  if (!keys || issuer.length === 0) return undefined;
  const { payload } = await jwtVerify(token, keys, {
    algorithms: [...algorithmsOf(talk.definition)],
    issuer,
    audience: [...(rules.audiences ?? talk.provider.clientIds)],
    currentDate: new Date(talk.now()),
    clockTolerance: toleratedSeconds,
    requiredClaims: ["sub", "exp"],
    ...(rules.maxAgeSeconds === undefined ? {} : { maxTokenAge: rules.maxAgeSeconds }),
  });
  return payload;
};

const isSigned = (token: string) => token.split(".").length === 3;

const verify = async (talk: Talk, brought: BroughtToken): Promise<Answer | undefined> => {
  const { definition, provider, within } = talk;
  const { token, nonce } = brought;
  const { verifyIdToken } = provider.options;
  if (verifyIdToken)
    return (await within(verifyIdToken(token, nonce))) ? (readClaims(token) ?? {}) : undefined;
  const rules = definition.brought;
  if (!rules) return undefined;
  const asks = rules.ask && (definition.endpoints.jwks === undefined || !isSigned(token));
  const call = createCall(talk, { tokens: { idToken: token }, claims: undefined, answer: {} }, {});
  const claims = asks ? await rules.ask?.(call, brought) : await verifySigned(talk, rules, token);
  const isGood = claims && isNonceGood(rules, claims["nonce"], nonce);
  return isGood && (rules.accepts?.(claims) ?? true) ? claims : undefined;
};

/**
 * The claims of an id token that a client brought: proven to be the provider's, for us, not expired and of the nonce that
 * was sent, or vouched for by the application's own function. Undefined for any other, and while the provider's keys
 * cannot be had.
 */
export const verifyBroughtToken = async (
  talk: Talk,
  brought: BroughtToken,
): Promise<Answer | undefined> => {
  if (talk.provider.options.disableIdTokenSignIn) return undefined;
  try {
    return await verify(talk, brought);
  } catch {
    return undefined;
  }
};
