import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { scopesOfAccount } from "./account-tokens.ts";
import { listAccountRows } from "./queries.ts";

type ListAccounts = typeof operations.identity.listAccounts;

/** The caller's ways in, oldest first, without passwords and tokens. */
export const listAccounts = async (
  deps: Pick<Deps, "config" | "db">,
  { session: { user } }: Call<ListAccounts>,
): Promise<Answer<OperationReply<ListAccounts>>> => {
  const { defaultFindManyLimit } = deps.config.database;
  const accounts = await listAccountRows(deps.db, user.id, defaultFindManyLimit);
  return {
    reply: accounts.map(({ id, providerId, accountId, scope, createdAt, updatedAt }) => ({
      id,
      provider: providerId,
      createdAt,
      updatedAt,
      accountId,
      scopes: scopesOfAccount(scope),
    })),
  };
};
