import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { hasEndedSessionsOf, lockUser } from "../users/queries.ts";
import { replaceBackupCodes } from "./backup-codes.ts";
import { checkFactorPassword, type CheckFactorPasswordNeeds } from "./check-factor-password.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type GenerateBackupCodes = typeof operations.identity.generateBackupCodes;
type Needs = CheckFactorPasswordNeeds & Pick<Deps, "newEventId" | "ring" | "wakeRelay">;

/** Replaces the backup codes of the caller. */
export const generateBackupCodes = async (
  deps: Needs,
  { body, caller, session }: Call<GenerateBackupCodes>,
): Promise<Answer<OperationReply<GenerateBackupCodes>>> => {
  const user = await findUser(deps, { id: session.user.id });
  if (!user?.twoFactorEnabled) throw new WireError("TWO_FACTOR_NOT_ENABLED");
  await checkFactorPassword(deps, { caller, session, password: body.password });
  const { id: userId, email, name } = user;
  const backupCodes = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, userId);
    if (!locked || hasEndedSessionsOf(locked, session.session.createdAt))
      throw new WireError("UNAUTHORIZED");
    if (!locked.twoFactorEnabled) throw new WireError("TWO_FACTOR_NOT_ENABLED");
    const codes = await replaceBackupCodes(deps, trx, { userId, isPending: false });
    const data = { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) };
    await appendEvent(trx, deps, { name: "backup-codes.generated", data });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "backup-codes.generated",
      caller,
      after: { codesLeft: codes.length },
    });
    return codes;
  });
  deps.wakeRelay();
  return { reply: { status: true, backupCodes } };
};
