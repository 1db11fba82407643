import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, appendEvent, type Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { countBackupCodes, deleteBackupCode, listBackupCodes } from "./backup-code-queries.ts";
import { matchBackupCode } from "./backup-codes.ts";
import { findVerifier, type FindVerifierNeeds } from "./find-verifier.ts";
import { challengeTries, guess, type GuessNeeds } from "./guess.ts";
import { passSecondFactor, type PassNeeds } from "./pass-second-factor.ts";

const declared = operations.identity.verifyBackupCode;
type VerifyBackupCode = typeof declared;
type Needs = FindVerifierNeeds & GuessNeeds & PassNeeds;

/** Uses up a backup code and tells its user how many are left. Returns true for exactly one of several concurrent calls. */
export const takeBackupCode = async (
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  trx: Transaction<Tables>,
  { id, user, caller }: { id: string; user: UserRow; caller: Call<VerifyBackupCode>["caller"] },
): Promise<boolean> => {
  if (!(await deleteBackupCode(trx, id))) return false;
  const { id: userId, email, name } = user;
  const codesLeft = await countBackupCodes(trx, userId);
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "backup-code.used",
    caller,
    after: { codesLeft },
  });
  await appendEvent(trx, deps, {
    name: "backup-code.used",
    data: { userId, email, name, codesLeft },
  });
  return true;
};

/** Verifies a backup code, which is used up. On request, the sign-in ends without a session. */
export const verifyBackupCode = async (
  deps: Needs,
  { body, caller }: Call<VerifyBackupCode>,
): Promise<Answer<OperationReply<VerifyBackupCode>>> => {
  const verifier = await findVerifier(deps, declared, { caller, body });
  const { user } = verifier;
  const isEnrolment = verifier.kind === "challenge" && verifier.challenge.purpose === "enrol";
  const stored = isEnrolment ? [] : await listBackupCodes(deps.db, user.id);
  if (stored.length === 0) throw new WireError("BACKUP_CODES_NOT_ENABLED");
  const guessed = {
    user,
    caller,
    method: "backup-code",
    wrong: "INVALID_BACKUP_CODE",
    ...challengeTries(deps, verifier),
  } as const;
  const passed = await guess(deps, guessed, async () => {
    const id = matchBackupCode(deps.ring, user.id, { code: body.code, stored });
    if (id === undefined) return undefined;
    return passSecondFactor(deps, verifier, {
      caller,
      method: "backup-code",
      trustsDevice: body.trustDevice,
      disablesSession: body.disableSession,
      use: (trx) => takeBackupCode(deps, trx, { id, user, caller }),
    });
  });
  deps.wakeRelay();
  return passed;
};
