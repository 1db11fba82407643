import type { AccountRow } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";

/**
 * Returns the account to insert as the application's hook has changed it, or undefined if the hook vetoes. An account
 * without an id at the provider gets the user's id.
 */
export const proposeAccount = async (
  deps: Pick<Deps, "config" | "logger" | "newId">,
  userId: string,
  { providerId, accountId = userId }: { providerId: string; accountId?: string | undefined },
): Promise<AccountRow | undefined> => {
  const id = await deps.newId("account");
  const row = { id, userId, providerId, accountId };
  const hooks = deps.config.databaseHooks.account.create;
  const account = await applyCreateHook(deps, hooks, { model: "account", row });
  // A hook must not reassign the account: neither to another user, nor to another id at the provider.
  return account && { ...account, ...(providerId === "credential" ? { userId } : row) };
};
