import type { AccountRow, ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { scopesOfAccount, tokenColumns } from "./account-tokens.ts";
import { updateGivenTokens } from "../rows/accounts.ts";

/**
 * Stores the tokens of a sign-in for an account. Scopes granted earlier stay, even if this sign-in requested fewer.
 * Returns whether the account was renewed, a hook of the application vetoed, or the account was deleted.
 */
export const renewAccount = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  account: AccountRow,
  tokens: ProviderTokens,
): Promise<"renewed" | "vetoed" | "gone"> => {
  const { before, after } = deps.config.databaseHooks.account.update;
  if (!(await applyBeforeHook({ before }, account))) return "vetoed";
  const { scope = null, ...secrets } = tokenColumns(deps, tokens);
  const isWritten = await updateGivenTokens(deps.db, {
    id: account.id,
    secrets,
    scopes: scopesOfAccount(scope),
    now: new Date(deps.clock()),
  });
  if (!isWritten) return "gone";
  await after?.(account);
  return "renewed";
};
