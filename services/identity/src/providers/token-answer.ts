import { isPlainText, type ProviderTokens } from "@latchkey/contracts";
import { type Answer, parseAnswer } from "./provider-call.ts";
import { splitScopes } from "./authorization-url.ts";
import type { ProviderClient } from "./provider-client.ts";

/** Returns the unverified claims of a token, or undefined if it is none. */
export const readClaims = (token: string | undefined): Answer | undefined => {
  const [, claims, signature, ...others] = token?.split(".") ?? [];
  if (claims === undefined || signature === undefined || others.length > 0) return undefined;
  return parseAnswer(Buffer.from(claims, "base64url").toString());
};

const isPresent = (value: unknown) => value !== null && value !== undefined && value !== "";

/** Converts a response to the standard form. Drops an id token if the provider is not known to issue any. */
export const tidy = ({ definition }: ProviderClient, given: Answer): Answer => {
  const tidy = definition.tidyAnswer?.(given) ?? given;
  const answer = definition.scopeSeparator === "," ? splitScopes(tidy) : tidy;
  const { id_token: idToken, scope, ...rest } = answer;
  const tidied = {
    token_type: "bearer",
    ...rest,
    ...(definition.issuer ? { id_token: idToken } : {}),
    scope: Array.isArray(scope) ? scope.join(" ") : scope,
  };
  return Object.fromEntries(Object.entries(tidied).filter(([, value]) => isPresent(value)));
};

/** A century. Anything longer is not a plausible lifetime. */
const lifetimeSecondsMax = 3_155_760_000;

const secondsFrom = (now: number, value: unknown): Date | undefined => {
  const seconds = Number(value);
  return isPresent(value) && seconds > 0 && seconds <= lifetimeSecondsMax
    ? new Date(now + seconds * 1000)
    : undefined;
};

/** Text that no store can hold counts as missing. */
const textOf = (value: unknown) =>
  typeof value === "string" && value !== "" && isPlainText(value) ? value : undefined;

export const readTokens = (answer: Answer, now: number): ProviderTokens => {
  const scope = textOf(answer["scope"])?.trim();
  return {
    tokenType: textOf(answer["token_type"]),
    accessToken: textOf(answer["access_token"]),
    refreshToken: textOf(answer["refresh_token"]),
    idToken: textOf(answer["id_token"]),
    accessTokenExpiresAt: secondsFrom(now, answer["expires_in"]),
    refreshTokenExpiresAt: secondsFrom(now, answer["refresh_token_expires_in"]),
    scopes: scope ? scope.split(/\s+/) : undefined,
  };
};
