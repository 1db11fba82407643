import { createSecretRing, seal, unseal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { listUserIdsAfter } from "../users/queries.ts";
import { sessionTokenPurpose } from "./session-rules.ts";
import type { StoredSession } from "./store/session-store.ts";

const usersPerBatch = 500;
const sessionsMax = 1_000;

type Needs = Pick<Deps, "clock" | "config" | "db" | "redis" | "ring" | "sessions">;

/** Seals the token of a session again, unless the session changes meanwhile. */
const reseal = async (
  { ring, sessions }: Needs,
  session: StoredSession,
  currentRing: Needs["ring"],
): Promise<boolean> => {
  const { tokenHash, tokenSealed, expiresAt, updatedAt } = session;
  if (unseal(currentRing, sessionTokenPurpose, tokenSealed) !== undefined) return false;
  const token = unseal(ring, sessionTokenPurpose, tokenSealed);
  if (token === undefined) return false;
  const to = { expiresAt, updatedAt, tokenSealed: seal(ring, sessionTokenPurpose, token) };
  return sessions.extend(tokenHash, session, to);
};

/**
 * Seals the tokens of sessions again that are in Redis alone, if an earlier secret sealed them. Returns the number. A token that is not
 * sealed again leaves its session valid, but the user's list of sessions cannot name it.
 */
export const resealRedisSessions = async (deps: Needs, signal: AbortSignal): Promise<number> => {
  const { clock, config, db, redis, ring, sessions } = deps;
  if (!redis || config.session.storeSessionInDatabase) return 0;
  const currentRing = createSecretRing([ring.current]);
  let [after, count]: [string, number] = ["", 0];
  for (;;) {
    const ids = signal.aborted ? [] : await listUserIdsAfter(db, after, usersPerBatch);
    for (const id of ids)
      for (const session of await sessions.list(id, new Date(clock()), sessionsMax))
        if (await reseal(deps, session, currentRing)) count += 1;
    const last = ids.at(-1);
    if (last === undefined) return count;
    after = last;
  }
};
