import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, type ResolvedSession, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findPassword } from "./find-password.ts";

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
