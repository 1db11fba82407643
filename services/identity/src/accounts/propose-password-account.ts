import type { AccountRow } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";

/** The password account to be written for a user, as the application's hook lets it through; undefined when it vetoes. */
export const proposePasswordAccount = async (
  deps: Pick<Deps, "config" | "logger" | "newId">,
  userId: string,
): Promise<AccountRow | undefined> => {
  const id = await deps.newId("account");
  const row = { id, userId, providerId: "credential", accountId: userId };
  const hooks = deps.config.databaseHooks.account.create;
  const account = await applyCreateHook(deps, hooks, { model: "account", row });
  return account && { ...account, userId }; // a hook may not hand the account to somebody else
};
