import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listPasskeyRows } from "./queries.ts";
import { showPasskey } from "./show-passkey.ts";

type ListUserPasskeys = typeof operations.identity.listUserPasskeys;

/** Returns the caller's passkeys, oldest first. */
export const listUserPasskeys = async (
  { db }: Pick<Deps, "db">,
  { session: { user } }: Call<ListUserPasskeys>,
): Promise<Answer<OperationReply<ListUserPasskeys>>> => {
  const passkeys = await listPasskeyRows(db, user.id);
  return { reply: passkeys.map(showPasskey) };
};
