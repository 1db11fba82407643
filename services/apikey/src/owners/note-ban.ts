import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { upsertBan } from "./queries.ts";

/** Notes how a ban of a user stands: their keys are refused while it holds. News that newer ones have overtaken change nothing. */
export const noteBan = async (
  { db }: Pick<Deps, "db">,
  { data: { userId, revision, banned, banExpires } }: Event<"user.ban-changed">,
): Promise<void> => {
  const bannedUntil = banExpires === null ? null : new Date(banExpires);
  await upsertBan(db, { userId, revision, banned, bannedUntil });
};
