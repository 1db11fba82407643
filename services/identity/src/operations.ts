import type { operations } from "@latchkey/contracts";
import type { Handlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { getSession } from "./sessions/get-session.ts";
import { resolveSession } from "./sessions/resolve-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { revokeOtherSessions, revokeSessions } from "./sessions/revoke-sessions.ts";
import { revokeSession } from "./sessions/revoke-session.ts";
import { signOut } from "./sessions/sign-out.ts";
import { signInEmail } from "./users/sign-in-email.ts";
import { signUpEmail } from "./users/sign-up-email.ts";
import { sendVerificationEmail } from "./verification/send-verification-email.ts";
import { verifyEmail } from "./verification/verify-email.ts";

/** Which feature answers which operation. */
export const createHandlers = (deps: Deps): Handlers<typeof operations.identity> => ({
  signUpEmail: (call) => signUpEmail(deps, call),
  signInEmail: (call) => signInEmail(deps, call),
  signOut: (call) => signOut(deps, call),
  getSession: (call) => getSession(deps, call),
  listSessions: (call) => listSessions(deps, call),
  revokeSession: (call) => revokeSession(deps, call),
  revokeSessions: (call) => revokeSessions(deps, call),
  revokeOtherSessions: (call) => revokeOtherSessions(deps, call),
  sendVerificationEmail: (call) => sendVerificationEmail(deps, call),
  verifyEmail: (call) => verifyEmail(deps, call),
  resolveSession: async ({ caller, body: { token } }) => {
    const asked = { ...caller, sessionToken: token };
    const found = await resolveSession(deps, asked, { disableRefresh: true });
    return { reply: found ? { session: found.session, user: found.user } : null };
  },
});
