import {
  hasPermissions,
  mayActOn,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findLastSignIn, type LastSignIn } from "../refused-sign-ins/queries.ts";
import { listSignInProblems } from "../refused-sign-ins/list-sign-in-problems.ts";
import type { StoredSession } from "../sessions/store/session-store.ts";
import { findUser } from "../users/find-user.ts";

type AdminReadSignInState = typeof operations.identity.adminReadSignInState;

const sessionsMax = 1_000;

/** Returns the latest of the stored sign-in and the live sessions. Sign-ins of earlier versions are known only by their sessions. */
const latestOf = (
  stored: LastSignIn | undefined,
  sessions: readonly StoredSession[],
): Omit<LastSignIn, "userId"> | undefined =>
  [
    ...(stored ? [stored] : []),
    ...sessions
      .filter(({ impersonatedBy }) => impersonatedBy === null)
      .map(({ createdAt: signedInAt, methods, ipAddress, userAgent }) => ({
        signedInAt,
        methods,
        ipAddress,
        userAgent,
      })),
  ].toSorted((one, other) => other.signedInAt.getTime() - one.signedInAt.getTime())[0];

/**
 * Returns whether a user can sign in, and every reason why not, in one place. Addresses and devices are part of the user's sessions, so
 * callers who may not list those do not see them.
 */
export const readSignInState = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "limits" | "sessions">,
  { params: { id }, session }: Call<AdminReadSignInState>,
): Promise<Answer<OperationReply<AdminReadSignInState>>> => {
  const [user, stored, sessions] = await Promise.all([
    findUser(deps, { id }),
    findLastSignIn(deps.db, id),
    deps.sessions.list(id, new Date(deps.clock()), sessionsMax),
  ]);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const { admin } = deps.config;
  const seesSessions =
    hasPermissions(admin, session.user, { session: ["list"] }) &&
    mayActOn(admin, session.user, user);
  const last = latestOf(stored, sessions);
  const problems = await listSignInProblems(deps, user, {
    since: last?.signedInAt,
    seesAddresses: seesSessions,
  });
  return {
    reply: {
      canSignIn: !problems.some(({ blocks }) => blocks),
      problems,
      lastSignIn: last
        ? {
            signedInAt: last.signedInAt,
            methods: last.methods.split(",").filter(Boolean),
            ipAddress: seesSessions ? last.ipAddress : null,
            userAgent: seesSessions ? last.userAgent : null,
          }
        : null,
    },
  };
};
