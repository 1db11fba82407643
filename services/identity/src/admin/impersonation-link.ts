import { WireError } from "@latchkey/contracts";
import { hashToken, randomToken, seal, unseal } from "@latchkey/crypto";
import { appendAudit, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  consumeVerification,
  findAnyVerification,
  insertVerification,
} from "../one-time-tokens/queries.ts";
import type { ImpersonatorCall } from "./find-impersonable.ts";

/** The user to impersonate, and the admin's reason. */
export interface WantedImpersonation {
  userId: string;
  reason?: string | undefined;
}

const tokenLength = 32;
const lifetimeSeconds = 60;
const purpose = "impersonation link";

/** Always a hash, whatever the options say about other tokens. */
const identifierOf = (token: string): string => `impersonation:${hashToken(token).toString("hex")}`;

/** Stores a link for one use by the browser that holds the admin's session, with its audit entry. */
export const keepImpersonationLink = async (
  deps: Pick<Deps, "clock" | "db" | "newId" | "ring">,
  { caller, session }: ImpersonatorCall,
  wanted: WantedImpersonation,
): Promise<{ token: string; expiresAt: Date }> => {
  const now = deps.clock();
  const token = randomToken(tokenLength, "alphanumeric");
  const expiresAt = new Date(now + lifetimeSeconds * 1000);
  const link = {
    id: await deps.newId("verification"),
    identifier: identifierOf(token),
    value: session.session.id,
    sealed: seal(deps.ring, purpose, JSON.stringify(wanted)),
    expiresAt,
    createdAt: new Date(now),
    updatedAt: new Date(now),
  };
  await deps.db.transaction().execute(async (trx) => {
    await insertVerification(trx, link);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: wanted.userId },
      action: "impersonation-link.created",
      caller,
      after: { reason: wanted.reason?.trim(), expiresAt },
    });
  });
  return { token, expiresAt };
};

/** Returns why a link cannot be used. A used one is deleted, so it cannot be told from one that never existed. */
const refusalOf = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  { token, sessionId }: { token: string; sessionId: string },
): Promise<WireError> => {
  const link = await findAnyVerification(db, identifierOf(token));
  if (!link) return new WireError("IMPERSONATION_LINK_NOT_FOUND");
  if (link.value !== sessionId) return new WireError("IMPERSONATION_LINK_OF_ANOTHER_SESSION");
  return link.expiresAt.getTime() <= clock()
    ? new WireError("IMPERSONATION_LINK_EXPIRED")
    : new WireError("IMPERSONATION_LINK_NOT_FOUND");
};

/**
 * Uses up a link and returns what it stands for. One statement decides, so only one of several concurrent calls gets it. Another session
 * than that of the admin who created the link cannot use it up.
 */
export const useImpersonationLink = async (
  deps: Pick<Deps, "clock" | "db" | "ring">,
  { token, sessionId }: { token: string; sessionId: string },
): Promise<WantedImpersonation> => {
  const used = await consumeVerification(deps.db, {
    identifier: identifierOf(token),
    now: new Date(deps.clock()),
    value: sessionId,
  });
  if (used === undefined) throw await refusalOf(deps, { token, sessionId });
  const wanted = unseal(deps.ring, purpose, used);
  // The secret under which it was sealed is no longer configured.
  if (wanted === undefined) throw new WireError("IMPERSONATION_LINK_NOT_FOUND");
  return JSON.parse(wanted) as WantedImpersonation;
};
