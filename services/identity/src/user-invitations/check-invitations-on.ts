import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Throws `RESET_PASSWORD_ISNT_ENABLED` if an invited user could not choose a password, or not sign in with it. */
export const checkInvitationsOn = ({ config }: Pick<Deps, "config">): void => {
  const { enabled, resetPassword } = config.emailAndPassword;
  if (!enabled || !resetPassword.enabled) throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
};
