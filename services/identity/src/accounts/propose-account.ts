import type { AccountRow } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";

/**
 * The account to be written for a user, as the application's hook lets it through; undefined when it vetoes. Without an id
 * at the provider it is the user's own.
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
  // A hook may not hand the account to somebody else: not to another user, nor to whom a provider knows by another id.
  return account && { ...account, ...(providerId === "credential" ? { userId } : row) };
};
