import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { listBackupCodes } from "./backup-code-queries.ts";
import { matchBackupCode, takeBackupCode } from "./backup-codes.ts";
import { findVerifier, type FindVerifierNeeds } from "./find-verifier.ts";
import { challengeTries, guess, type GuessNeeds } from "./guess.ts";
import { passSecondFactor, type PassNeeds } from "./pass-second-factor.ts";

const declared = operations.identity.verifyBackupCode;
type VerifyBackupCode = typeof declared;
type Needs = FindVerifierNeeds & GuessNeeds & PassNeeds;

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
