import { WireError, type Caller } from "@latchkey/contracts";
import { HashPoolFullError } from "@latchkey/crypto";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { findPasswordAccount, updateHash } from "../rows/passwords.ts";

/**
 * Rejects a new password outside of the configured length, counted in UTF-16 units before normalisation, and one that is known from leaks
 * (NIST SP 800-63B-4, section 3.1.1.2).
 */
export const checkNewPassword = async (
  { config, compromisedPasswords }: Pick<Deps, "compromisedPasswords" | "config">,
  password: string,
): Promise<void> => {
  const { minPasswordLength, maxPasswordLength } = config.emailAndPassword;
  if (password.length < minPasswordLength) throw new WireError("PASSWORD_TOO_SHORT");
  if (password.length > maxPasswordLength) throw new WireError("PASSWORD_TOO_LONG");
  if (await compromisedPasswords.includes(password)) throw new WireError("PASSWORD_COMPROMISED");
};

/** Returns the stored hash of a user's password, or undefined if there is none. */
export const findPassword = async (
  { db }: Pick<Deps, "db">,
  userId: string,
): Promise<string | undefined> => (await findPasswordAccount(db, userId))?.password ?? undefined;

/**
 * Replaces the stored hash of a verified password if it differs in form or parameters from new hashes. The password stays
 * the same, so no session ends and nothing is audited. A failure changes nothing: the next sign-in tries again. Returns the hash that is
 * stored then.
 */
export const upgradeHash = async (
  { db, logger, passwords }: Pick<Deps, "db" | "logger" | "passwords">,
  { userId, stored }: { userId: string; stored: string },
  password: string,
): Promise<string> => {
  try {
    const upgraded = await passwords.upgrade(stored, password);
    if (upgraded === undefined) return stored;
    await updateHash(db, { userId, stored, upgraded });
    return upgraded;
  } catch (error) {
    if (!(error instanceof HashPoolFullError))
      logger.warn({ err: error, userId }, "failed to upgrade a password hash, will retry");
    return stored;
  }
};

type Needs = Pick<Deps, "clock" | "db" | "limits" | "passwords">;

interface PasswordCall {
  caller: Caller;
  session: ResolvedSession;
}

const recordTriesUsedUp = async (deps: Needs, { caller, session }: PasswordCall): Promise<void> => {
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "user", id: session.user.id },
    action: "password.tries-used-up",
    outcome: "refused",
    caller,
  });
};

/**
 * Checks the caller's own password and returns its stored hash. Rejects a wrong one, and a user without a password. The
 * holder of a stolen session could guess here, so each user has a limited number of wrong tries. Each try is counted
 * before the hash is computed. Sign-in is not limited this way, because strangers could lock users out.
 */
export const checkPassword = async (
  deps: Needs,
  call: PasswordCall,
  password: string,
): Promise<string> => {
  const { id: userId } = call.session.user;
  const stored = await findPassword(deps, userId);
  if (stored === undefined) throw new WireError("CREDENTIAL_ACCOUNT_NOT_FOUND");
  const { isLast } = await deps.limits.takePasswordTry(deps.db, userId);
  const isRight = await deps.passwords.verify(stored, password);
  await deps.limits.endPasswordTry(deps.db, userId, isRight ? "right" : "wrong");
  if (isRight) return stored;
  if (isLast) await recordTriesUsedUp(deps, call);
  throw new WireError("INVALID_PASSWORD");
};
