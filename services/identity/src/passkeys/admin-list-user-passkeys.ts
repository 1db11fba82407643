import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { checkReach } from "../admin/reach.ts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { listPasskeyRows } from "./queries.ts";
import { showPasskey } from "./show-passkey.ts";

const { permission } = operations.identity.adminListUserPasskeys;
type AdminListUserPasskeys = typeof operations.identity.adminListUserPasskeys;

/** Lists the passkeys of a user, without their keys. */
export const adminListUserPasskeys = async (
  deps: Pick<Deps, "config" | "db">,
  call: Call<AdminListUserPasskeys>,
): Promise<Answer<OperationReply<AdminListUserPasskeys>>> => {
  const user = await findUser(deps, { id: call.query.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  checkReach(deps, call, { permission, target: user });
  const rows = await listPasskeyRows(deps.db, user.id);
  return {
    reply: {
      passkeys: rows.map((row) => {
        const { publicKey: _key, credentialID: _id, ...passkey } = showPasskey(row);
        return passkey;
      }),
    },
  };
};
