import { type AuthenticationMethod, WireError } from "@latchkey/contracts";
import type { Handler } from "../deps.ts";
import { findAccessEpoch } from "../rows/access-epochs.ts";
import { createSession } from "../sessions/create-session.ts";
import { isFormerGuest } from "../users/user-row.ts";
import { findUser } from "../users/find-users.ts";

/**
 * Starts the session of a device without a browser. It is as strong as the session in which its user allowed it, and no later proof. The
 * epoch decides once more after the start, so that the end of all access also ends a session that is being started.
 */
export const startDeviceSession: Handler<"startDeviceSession"> = async (
  deps,
  { caller, body: { userId, accessEpoch, authentication, address, userAgent } },
) => {
  const isStillGranted = async () => (await findAccessEpoch(deps.db, userId)) === accessEpoch;
  const user = await findUser(deps, { id: userId });
  if (!user || isFormerGuest(deps.config, user) || !(await isStillGranted()))
    return { reply: null };
  const { authenticatedAt, secondFactorAt, methods } = authentication;
  try {
    const started = await createSession(deps, user, {
      caller: { ...caller, address, userAgent },
      remember: true,
      isStillGranted,
      proof: {
        methods: [...(methods as AuthenticationMethod[]), "device"], // written by this service
        authenticatedAt: new Date(authenticatedAt),
        secondFactorAt: secondFactorAt === null ? null : new Date(secondFactorAt),
      },
    });
    const expiresAt = started?.session.expiresAt.toISOString();
    return {
      reply: started && expiresAt !== undefined ? { token: started.token, expiresAt } : null,
    };
  } catch (error) {
    if (error instanceof WireError && error.status === 403) return { reply: null }; // banned
    throw error;
  }
};
