import { type Passkey, operations, WireError, type Caller } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import {
  type PasskeyRow,
  listPasskeyRows,
  updatePasskeyName,
  deletePasskeyRow,
} from "../rows/passkeys.ts";
import type { Deps, Handler } from "../deps.ts";
import { countWaysIn } from "../accounts/own-accounts.ts";
import { lockUser } from "../users/queries.ts";
import type { Tables } from "../db/tables.ts";
import { mailLocaleOf } from "../users/email.ts";
import { checkReach, recheckReach, adminActor } from "../users/admin-rights.ts";
import { findUser } from "../users/find-users.ts";

/** Returns a passkey as its user sees it. */
export const showPasskey = ({
  publicKey,
  credentialId,
  userVerified: _verified,
  hasUserHandle: _handle,
  ...passkey
}: PasskeyRow): Passkey => ({
  ...passkey,
  publicKey: publicKey.toString("base64"),
  credentialID: credentialId.toString("base64url"),
});

/** Returns the descriptor by which an authenticator recognizes a passkey. */
export const describeCredential = ({
  credentialId,
  transports,
}: Pick<PasskeyRow, "credentialId" | "transports">) => ({
  id: credentialId.toString("base64url"),
  type: "public-key" as const,
  ...(transports ? { transports: transports.split(",") } : {}),
});

/** Returns the caller's passkeys, oldest first. */
export const listUserPasskeys: Handler<"listUserPasskeys"> = async (
  { db },
  { session: { user } },
) => {
  const passkeys = await listPasskeyRows(db, user.id);
  return { reply: passkeys.map(showPasskey) };
};

/** Renames one of the caller's passkeys. */
export const updatePasskey: Handler<"updatePasskey"> = async (
  deps,
  { body: { id, name }, caller, session: { user } },
) => {
  const passkey = await deps.db.transaction().execute(async (trx) => {
    const renamed = await updatePasskeyName(trx, { id, userId: user.id, name });
    if (!renamed) throw new WireError("PASSKEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: user.id },
      subject: { kind: "user", id: user.id },
      action: "passkey.renamed",
      caller,
      after: { id, name },
    });
    return renamed;
  });
  return { reply: { passkey: showPasskey(passkey) } };
};

/** Deletes one of the caller's passkeys. Refuses if no other way to sign in is left. Ends no session. */
export const deletePasskey: Handler<"deletePasskey"> = async (
  deps,
  { body: { id }, caller, session: { user } },
) => {
  const actor = { kind: "user", id: user.id } as const;
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id);
    if (!locked) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
    await removePasskey(deps, trx, { id, user, actor, caller });
    const { allowUnlinkingAll } = deps.config.account.accountLinking;
    if (!allowUnlinkingAll && (await countWaysIn(deps, trx, { ...locked, id: user.id })) === 0)
      throw new WireError("YOU_CANT_REMOVE_YOUR_LAST_WAY_IN");
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};

type RemovePasskeyNeeds = Pick<Deps, "clock" | "db" | "newEventId" | "ring" | "wakeRelay">;

interface PasskeyRemoval {
  id: string;
  user: { id: string; email: string; name: string };
  actor: AuditEntry["actor"];
  caller: Caller;
}

/** Deletes a passkey of a user and notifies them. Throws `PASSKEY_NOT_FOUND`. */
const removePasskey = async (
  deps: RemovePasskeyNeeds,
  trx: Transaction<Tables>,
  { id, user, actor, caller }: PasskeyRemoval,
): Promise<PasskeyRow> => {
  const removed = await deletePasskeyRow(trx, { id, userId: user.id });
  if (!removed) throw new WireError("PASSKEY_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "user", id: user.id },
    action: "passkey.removed",
    caller,
    before: { id, name: removed.name },
  });
  const { id: userId, email, name } = user;
  const passkeyName = removed.name ?? "";
  await appendEvent(trx, deps, {
    name: "passkey.removed",
    data: { userId, email, name, passkeyName, ...(await mailLocaleOf(trx, { userId, caller })) },
  });
  return removed;
};

const { permission: listPermission } = operations.identity.adminListUserPasskeys;

/** Lists the passkeys of a user, without their keys. */
export const adminListUserPasskeys: Handler<"adminListUserPasskeys"> = async (deps, call) => {
  const user = await findUser(deps, { id: call.query.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  checkReach(deps, call, { permission: listPermission, target: user });
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

const { permission: removePermission } = operations.identity.adminRemoveUserPasskey;

/**
 * Removes a passkey of a user, such as a lost or copied one, and notifies the user. It may be the last way in: the admin can mail a link to
 * choose a password.
 */
export const adminRemoveUserPasskey: Handler<"adminRemoveUserPasskey"> = async (deps, call) => {
  const { body, caller } = call;
  const user = await findUser(deps, { id: body.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: removePermission, target: user };
  checkReach(deps, call, act);
  await deps.db.transaction().execute(async (trx) => {
    await recheckReach(deps, call, act)(trx);
    await lockUser(trx, user.id);
    await removePasskey(deps, trx, { id: body.id, user, actor: adminActor(call), caller });
  });
  deps.wakeRelay();
  return { reply: { success: true } };
};
