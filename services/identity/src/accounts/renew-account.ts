import type { AccountRow, ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { scopesOfAccount, tokenColumns } from "./account-tokens.ts";
import { findNamedAccount, updateAccountSecrets } from "./queries.ts";

/** Scopes that were granted before are granted still, when a sign-in asks for fewer. */
const addScopes = (scope: string | null, { scopes, ...tokens }: ProviderTokens): ProviderTokens => {
  const given = scopesOfAccount(scopes?.join(",") ?? null);
  const all = [...new Set([...scopesOfAccount(scope), ...given])];
  return scopes === undefined ? tokens : { ...tokens, scopes: all };
};

/**
 * Keeps the tokens that a provider has just given for an account. False when a hook of the application vetoes, or the
 * account is gone.
 */
export const renewAccount = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  account: AccountRow,
  tokens: ProviderTokens,
): Promise<boolean> => {
  const { id, userId } = account;
  const { before, after } = deps.config.databaseHooks.account.update;
  if (!(await applyBeforeHook({ before }, account))) return false;
  const known = await findNamedAccount(deps.db, { userId, accountId: id });
  const isWritten = await updateAccountSecrets(deps.db, {
    id,
    secrets: tokenColumns(deps, addScopes(known?.scope ?? null, tokens)),
    now: new Date(deps.clock()),
  });
  if (isWritten) await after?.(account);
  return isWritten;
};
