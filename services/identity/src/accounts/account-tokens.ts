import type { ProviderTokens } from "@latchkey/contracts";
import { seal, unseal } from "@latchkey/crypto";
import type { Selectable } from "kysely";
import type { AccountTable } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { SecretColumns } from "./secret-columns.ts";

/** The purpose under which tokens of providers are sealed. */
export const providerTokenPurpose = "provider token";
const sealedForm = /^v1\.[\w-]{38,}$/;

type Needs = Pick<Deps, "config" | "ring">;

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>; // nothing undefined is left

/**
 * Tokens as they rest. What the provider did not give is left out and so stays what it was, but for the expiry of a token
 * that it gave: that is the new token's, or not known.
 */
export const tokenColumns = ({ config, ring }: Needs, tokens: ProviderTokens): SecretColumns => {
  const { accessToken, refreshToken, idToken, scopes } = tokens;
  const rest = (token: string | undefined) =>
    token !== undefined && config.account.encryptOAuthTokens
      ? seal(ring, providerTokenPurpose, token)
      : token;
  const expiry = (token: string | undefined, at: Date | undefined) =>
    token === undefined ? at : (at ?? null);
  return present({
    accessToken: rest(accessToken),
    refreshToken: rest(refreshToken),
    idToken: rest(idToken),
    accessTokenExpiresAt: expiry(accessToken, tokens.accessTokenExpiresAt),
    refreshTokenExpiresAt: expiry(refreshToken, tokens.refreshTokenExpiresAt),
    scope: scopes?.join(","),
  });
};

/** The scopes of an account. */
export const scopesOfAccount = (scope: string | null): string[] =>
  scope ? scope.split(",").filter((one) => one !== "") : [];

/** An account's tokens as they rest. */
export type RestingTokens = Pick<
  Selectable<AccountTable>,
  | "accessToken"
  | "refreshToken"
  | "idToken"
  | "accessTokenExpiresAt"
  | "refreshTokenExpiresAt"
  | "scope"
>;

/**
 * Tokens of an account's row; one that no secret opens is as if there were none. Clear ones were taken over as such, or
 * rest so by option: then one that only looks sealed is a provider's own.
 */
export const openTokens = ({ config, ring }: Needs, row: RestingTokens): ProviderTokens => {
  const open = (text: string | null) => {
    if (text === null || !sealedForm.test(text)) return text || undefined;
    const clear = config.account.encryptOAuthTokens ? undefined : text;
    return unseal(ring, providerTokenPurpose, text) ?? clear;
  };
  return present({
    accessToken: open(row.accessToken),
    refreshToken: open(row.refreshToken),
    idToken: open(row.idToken),
    accessTokenExpiresAt: row.accessTokenExpiresAt ?? undefined,
    refreshTokenExpiresAt: row.refreshTokenExpiresAt ?? undefined,
    scopes: scopesOfAccount(row.scope),
  });
};
