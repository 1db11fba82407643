import type { Deps } from "../deps.ts";
import { findMemberById, type MemberRow } from "./queries.ts";

/** Returns a membership of an organization by its id. Returns undefined also for a membership of another organization. */
export const findMemberOf = (
  { db }: Pick<Deps, "db">,
  membership: { organizationId: string; id: string },
): Promise<MemberRow | undefined> => findMemberById(db, membership);
