import type { Caller } from "@latchkey/contracts";
import {
  type AuditEntry,
  type ResolvedSession,
  serviceActor,
  sessionActor,
} from "@latchkey/service-kit";

/** The caller of an admin operation: an admin with a session, or an internal service. */
export interface AdminCall {
  caller: Caller;
  session?: ResolvedSession | undefined;
}

/** Returns the actor for the audit. */
export const adminActor = ({ caller, session }: AdminCall): AuditEntry["actor"] =>
  session ? sessionActor(session) : serviceActor(caller);

/** Returns whether an admin would act on their own user. */
export const isOneself = ({ session }: AdminCall, userId: string): boolean =>
  session?.user.id === userId;
