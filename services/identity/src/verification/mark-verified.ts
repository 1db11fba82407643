import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";

export interface VerifiedAddress {
  user: UserRow;
  caller: Caller;
  /** By default the user. */
  actor?: AuditEntry["actor"];
}

/** Marks the address of a user in one guarded statement; undefined when it has meanwhile ceased to be theirs. */
export const markVerified = async (
  deps: ChangeUserNeeds,
  { user, ...by }: VerifiedAddress,
): Promise<UserRow | undefined> => {
  if (user.emailVerified) return user;
  const marked = await changeUser(deps, {
    ...by,
    user,
    change: { emailVerified: true },
    guard: { email: user.email, emailVerified: false },
    action: "user.email-verified",
  });
  if (marked) return marked;
  const now = await findUser(deps, { email: user.email });
  return now?.id === user.id && now.emailVerified ? now : undefined;
};
