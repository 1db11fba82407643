import type { Caller } from "@latchkey/contracts";
import {
  type AuditEntry,
  type ResolvedSession,
  serviceActor,
  sessionActor,
} from "@latchkey/service-kit";

/** Who acts on a user: an admin with a session, or a service of the house. */
export interface AdminCall {
  caller: Caller;
  session?: ResolvedSession | undefined;
}

/** Who acts, for the audit. */
export const adminActor = ({ caller, session }: AdminCall): AuditEntry["actor"] =>
  session ? sessionActor(session) : serviceActor(caller);

/** Whether an admin would act on themself, be it in the name of somebody whom they impersonate. */
export const isOneself = ({ session }: AdminCall, userId: string): boolean =>
  session !== undefined && [session.user.id, session.session.impersonatedBy].includes(userId);
