import type { AuthenticationMethod, Caller } from "@latchkey/contracts";
import type { SessionStart } from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";

/** A user who has proven who they are by one sign-in method. */
export interface FirstFactor extends Pick<SessionStart, "isStillGranted" | "remember"> {
  user: UserRow;
  method: AuthenticationMethod;
  caller: Caller;
  /** The method is two factors, as a passkey is that has verified its user. */
  isBothFactors?: boolean;
}
