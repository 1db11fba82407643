import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { upsertBan } from "./queries.ts";

/** Records a ban of a user, whose keys are rejected while it is in force. Events older than the stored version change nothing. */
export const recordBan = async (
  { db }: Pick<Deps, "db">,
  { data: { userId, revision, banned, banExpires } }: Event<"user.ban-changed">,
): Promise<void> => {
  const bannedUntil = banExpires === null ? null : new Date(banExpires);
  await upsertBan(db, { userId, revision, banned, bannedUntil });
};
