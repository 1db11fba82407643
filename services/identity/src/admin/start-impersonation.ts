import { WireError } from "@latchkey/contracts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { findImpersonable, type ImpersonatorCall } from "./find-impersonable.ts";
import type { WantedImpersonation } from "./impersonation-link.ts";

/** Starts the session of an impersonation. Its effect keeps the admin's own session aside. */
export const startImpersonation = async (
  deps: CreateSessionNeeds,
  call: ImpersonatorCall,
  { userId, reason }: WantedImpersonation,
): Promise<NewSession> => {
  const target = await findImpersonable(deps, call, userId);
  const created = await createSession(deps, target, {
    caller: call.caller,
    proof: { methods: [] },
    remember: false,
    impersonation: {
      adminId: call.session.user.id,
      seconds: deps.config.admin.impersonationSessionDuration,
      reason: reason?.trim(),
    },
  });
  if (!created) throw new WireError("FAILED_TO_CREATE_USER", { status: 500 });
  return { ...created, effect: { ...created.effect, parks: true } };
};
