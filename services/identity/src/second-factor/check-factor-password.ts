import { type Caller, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPassword } from "../passwords/check-password.ts";
import { findPassword } from "../passwords/find-password.ts";
import { requireStrong } from "../sessions/strong-session.ts";

export type CheckFactorPasswordNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "limits" | "passwords"
>;

const missing = () =>
  new WireError("VALIDATION_ERROR", {
    message: "Invalid body parameters",
    issues: [{ path: "password", message: "required" }],
  });

/**
 * Checks the password with which a user manages the second factor. A user without one needs a strong session instead, if the options allow
 * that. Throws `INVALID_PASSWORD`, and `VALIDATION_ERROR` if the password is missing.
 */
export const checkFactorPassword = async (
  deps: CheckFactorPasswordNeeds,
  {
    caller,
    session,
    password,
  }: { caller: Caller; session: ResolvedSession; password?: string | undefined },
): Promise<void> => {
  const { allowPasswordless } = deps.config.twoFactor;
  if (password === undefined && !allowPasswordless) throw missing();
  const hasPassword = (await findPassword(deps, session.user.id)) !== undefined;
  if (hasPassword) {
    if (password === undefined) throw missing();
    await checkPassword(deps, { caller, session }, password);
    return;
  }
  if (!allowPasswordless) throw new WireError("INVALID_PASSWORD");
  requireStrong(deps, session);
};
