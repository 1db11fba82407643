import type { AccountRow, ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { scopesOfAccount, tokenColumns } from "./account-tokens.ts";
import { updateGivenTokens } from "./queries.ts";

/**
 * Keeps the tokens that a provider has just given for an account. Scopes that were granted before are granted still, when
 * a sign-in asks for fewer. Says whether it is done, a hook of the application vetoed, or the account is gone.
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
