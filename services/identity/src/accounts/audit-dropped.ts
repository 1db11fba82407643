import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendAudits } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { PasskeyRow } from "../passkeys/queries.ts";
import type { AppendUnlinkedNeeds } from "./append-unlinked.ts";
import type { TokenAccount } from "./queries.ts";

interface Dropped {
  userId: string;
  passkeys: readonly Pick<PasskeyRow, "id" | "name">[];
  accounts: readonly TokenAccount[];
  caller: Caller;
}

/** Records the passkeys and accounts that were deleted because a stranger may hold them. */
export const auditDropped = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  { userId, passkeys, accounts, caller }: Dropped,
): Promise<void> => {
  const of = {
    actor: { kind: "user", id: userId } as const,
    subject: { kind: "user", id: userId },
    caller,
  };
  await appendAudits(
    trx,
    deps,
    passkeys.map((before) => ({ ...of, action: "passkey.removed", before })),
  );
  if (accounts.length === 0) return;
  const before = { accounts: accounts.map(({ id, providerId }) => ({ id, providerId })) };
  await appendAudit(trx, deps, { ...of, action: "user.accounts-dropped", before });
};
