import { hashToken, randomToken, seal, unseal } from "@latchkey/crypto";
import { appendEvent } from "@latchkey/service-kit";
import type { Caller } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findVerification, insertVerification } from "../one-time-tokens/queries.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

const tokenLength = 32;
const lifetimeMilliseconds = 7 * 86_400_000;
const purpose = "undo of an address";
const prefix = "undo-email:";

/** The content of a link, which is stored sealed. */
export interface EmailUndo {
  userId: string;
  /** The former address, which the link sets back. */
  email: string;
  /** Whether the second factor was on at the change. Absent in links of earlier versions. */
  hadSecondFactor?: boolean;
}

/** Links are always stored as hashes, whatever the options say. */
const identifierOf = (token: string): string => prefix + hashToken(token).toString("hex");

/** Marks the links of a user. Not the id alone, because a later change of the address must not delete them. */
const markOf = (userId: string): string => prefix + userId;

export interface AddressChange {
  user: { id: string; name: string; email: string };
  hadSecondFactor: boolean;
  newEmail: string;
  caller: Caller;
}

/** Mails the old address a link that sets it back, in the transaction of the change. */
export const mailUndoLink = async (
  deps: Pick<Deps, "clock" | "newEventId" | "newId" | "ring">,
  trx: Kysely<Tables>,
  { user: { id: userId, name, email }, hadSecondFactor, newEmail, caller }: AddressChange,
): Promise<void> => {
  const now = new Date(deps.clock());
  const token = randomToken(tokenLength, "letters");
  const undo: EmailUndo = { userId, email, hadSecondFactor };
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds);
  await insertVerification(trx, {
    id: await deps.newId("verification"),
    identifier: identifierOf(token),
    value: markOf(userId),
    sealed: seal(deps.ring, purpose, JSON.stringify(undo)),
    expiresAt,
    createdAt: now,
    updatedAt: now,
  });
  const url = `${caller.baseUrl}/change-email/undo?token=${token}`;
  const data = {
    userId,
    email,
    name,
    newEmail,
    url,
    expiresAt: expiresAt.toISOString(),
    ...(await mailLocaleOf(trx, { userId, caller })),
  };
  await appendEvent(trx, deps, { name: "email.changed", data });
};

/** Returns the content of a valid link. */
export const readUndoLink = async (
  { clock, db, ring }: Pick<Deps, "clock" | "db" | "ring">,
  token: string,
): Promise<EmailUndo | undefined> => {
  const sealed = await findVerification(db, identifierOf(token), new Date(clock()));
  const text = sealed === undefined ? undefined : unseal(ring, purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as EmailUndo);
};

/**
 * Uses up a link and deletes those of later changes. A thief of the account has the later ones, and must not be able to revert the undo.
 * The links of earlier changes stay. Returns the time of the change for exactly one of several concurrent calls. The user must be locked.
 */
export const useUndoLink = async (
  { clock }: Pick<Deps, "clock">,
  trx: Kysely<Tables>,
  { token, userId }: { token: string; userId: string },
): Promise<Date | undefined> => {
  const used = await trx
    .deleteFrom("verification")
    .where("identifier", "=", identifierOf(token))
    .where("expiresAt", ">", new Date(clock()))
    .returning("createdAt")
    .executeTakeFirst();
  if (!used) return undefined;
  await trx
    .deleteFrom("verification")
    .where("value", "=", markOf(userId))
    .where("createdAt", ">=", used.createdAt)
    .execute();
  return used.createdAt;
};

/** Deletes every link of a user. */
export const dropUndoLinks = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await trx.deleteFrom("verification").where("value", "=", markOf(userId)).execute();
};
