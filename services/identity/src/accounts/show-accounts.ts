import type { Deps } from "../deps.ts";
import { scopesOfAccount } from "./account-tokens.ts";
import { type AccountEntry, listAccountRows } from "./queries.ts";

/** An account as shown to clients: without passwords and tokens. */
export type ShownAccount = Omit<AccountEntry, "scope"> & { scopes: string[] };

/** Returns a user's accounts, oldest first. */
export const showAccounts = async (
  { config, db }: Pick<Deps, "config" | "db">,
  userId: string,
): Promise<ShownAccount[]> => {
  const { defaultFindManyLimit: limit } = config.database;
  const accounts = await listAccountRows(db, { userId, limit });
  return accounts.map(({ scope, ...account }) =>
    Object.assign(account, { scopes: scopesOfAccount(scope) }),
  );
};
