import { type Caller, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { extendedProof, type Proof } from "./authentication.ts";
import { createSession, type CreateSessionNeeds, type NewSession } from "./create-session.ts";
import { reissueChanged } from "./session-rules.ts";
import type { FoundSession } from "./store/session-store.ts";

export interface SessionReplacement {
  caller: Caller;
  session: ResolvedSession;
  user: UserRow;
  /** The proof that the change adds to that of the session. */
  proof: Proof;
  /**
   * Writes the change that replaces the session, and returns the changed user. Receives the hash of the new token, so that the end of
   * other sessions can spare it. Undefined means that nothing was written.
   */
  change: (tokenHash: Buffer) => Promise<UserRow | undefined>;
  /** Ends the user's other sessions too. The change must publish the event that does so even if this process dies before. */
  endsOthers?: boolean;
}

/** The new session, with the user as changed. */
export type ReplacedSession = Pick<NewSession, "token" | "session" | "effect"> & { user: UserRow };

/**
 * The outcome of a replacement. `ended`: the session has ended, or another request has replaced it. `vetoed`: the application's hook
 * allows no new session. `unwritten`: the change was not written.
 */
export type Replacement =
  | { kind: "replaced"; by: ReplacedSession }
  | { kind: "ended" | "unwritten" | "vetoed" };

type Needs = CreateSessionNeeds;

interface Started {
  created: NewSession;
  replaced: FoundSession;
}

const endSuccessor = async (
  deps: Needs,
  { caller }: SessionReplacement,
  { token, session }: NewSession,
): Promise<void> => {
  await deps.sessions.revoke(
    { tokenHash: hashToken(token), userId: session.userId },
    {
      actor: { kind: "system" },
      subject: { kind: "session", id: session.id },
      action: "session.revoked",
      caller,
    },
  );
};

/** Starts the session that replaces the caller's. */
const startSuccessor = async (
  deps: Needs,
  { caller, user, proof, session: { session, authentication } }: SessionReplacement,
): Promise<Started | "ended" | "vetoed"> => {
  const stored = await deps.sessions.find(hashToken(session.token));
  if (!stored || stored.user.id !== user.id || stored.session.impersonatedBy) return "ended";
  const created = await createSession(deps, user, {
    caller,
    proof: extendedProof(authentication, {
      authenticatedAt: authentication?.authenticatedAt,
      ...proof,
    }),
    remember: stored.session.remembered && !caller.browserSession,
    replaces: stored.session,
  });
  if (created) return { created, replaced: stored };
  return (await findUser(deps, { id: user.id })) ? "vetoed" : "ended";
};

/** Ends the replaced session, or all others. Returns false if the replaced one has ended meanwhile. */
const endReplaced = async (
  deps: Needs,
  { caller, user, endsOthers = false }: SessionReplacement,
  { created, replaced }: Started,
): Promise<boolean> => {
  const actor = sessionActor(replaced);
  const isReplaced = await deps.sessions.revoke(replaced.session, {
    actor,
    subject: { kind: "session", id: replaced.session.id },
    action: "session.replaced",
    caller,
  });
  if (!endsOthers) return isReplaced;
  await deps.sessions.revokeAll(user.id, hashToken(created.token), {
    actor,
    subject: { kind: "user", id: user.id },
    action: "session.revoked-others",
    caller,
  });
  return true; // the published event may have ended the replaced one
};

/**
 * Writes a change of a user's sign-in methods and replaces the caller's session by one with a new token. The new one keeps the expiry, the
 * organization, the fields and whether it is remembered. It starts first, so that the change can end all others.
 */
export const replaceSession = async (
  deps: Needs,
  replacement: SessionReplacement,
): Promise<Replacement> => {
  const started = await startSuccessor(deps, replacement);
  if (typeof started === "string") return { kind: started };
  const { created } = started;
  const { token, session } = created;
  const changed = await replacement.change(hashToken(token)).catch(async (error: unknown) => {
    await endSuccessor(deps, replacement, created);
    throw error;
  });
  if (!changed || !(await endReplaced(deps, replacement, started))) {
    await endSuccessor(deps, replacement, created);
    return { kind: changed ? "ended" : "unwritten" };
  }
  const current = (await findUser(deps, { id: changed.id })) ?? changed;
  const { maxAgeSeconds } = created.effect;
  const effect = await reissueChanged(deps, { session }, current);
  const by = { token, session, user: current, effect: { ...effect, maxAgeSeconds } };
  return { kind: "replaced", by };
};

/**
 * Returns the new session. Throws `UNAUTHORIZED` if the replaced one has ended, and `FAILED_TO_CREATE_SESSION` if the application's hook
 * allows no new one. Nothing was written in the second case.
 */
export const requireReplaced = (
  outcome: Exclude<Replacement, { kind: "unwritten" }>,
): ReplacedSession => {
  if (outcome.kind === "replaced") return outcome.by;
  if (outcome.kind === "ended") throw new WireError("UNAUTHORIZED");
  throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
};
