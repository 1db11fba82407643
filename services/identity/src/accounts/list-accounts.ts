import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showAccounts } from "./show-accounts.ts";

type ListAccounts = typeof operations.identity.listAccounts;

/** Returns the caller's accounts, oldest first, without passwords and tokens. */
export const listAccounts = async (
  deps: Pick<Deps, "config" | "db">,
  { session: { user } }: Call<ListAccounts>,
): Promise<Answer<OperationReply<ListAccounts>>> => {
  const accounts = await showAccounts(deps, user.id);
  return {
    reply: accounts.map((account) => Object.assign(account, { provider: account.providerId })),
  };
};
