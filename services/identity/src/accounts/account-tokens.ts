import type { ProviderTokens } from "@latchkey/contracts";
import { seal, unseal } from "@latchkey/crypto";
import type { RowOf } from "@latchkey/service-kit/database";
import type { accountTokenColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type SecretColumns } from "../rows/accounts.ts";

/** The purpose under which provider tokens are sealed. */
const providerTokenPurpose = "provider token";
const sealedForm = /^v1\.[\w-]{38,}$/;

type Needs = Pick<Deps, "config" | "ring">;

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>; // no undefined member remains

/**
 * Returns the columns to store for these tokens. A value that the provider omitted is left out, so the stored one stays.
 * The exception is the expiry of a token that it did send: a missing expiry becomes null, because the stored one is the
 * old token's.
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

/** Splits an account's stored scope into a list. */
export const scopesOfAccount = (scope: string | null): string[] =>
  scope ? scope.split(",").filter((one) => one !== "") : [];

/** An account's tokens in their stored form. */
export type RestingTokens = RowOf<typeof accountTokenColumns>;

/**
 * Opens the stored tokens of an account. A token that no secret can open counts as missing. With encryption off, a token
 * that merely looks sealed is returned as it is. Clear tokens come from an import or from a time when encryption was off.
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
