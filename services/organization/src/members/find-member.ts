import type { Deps } from "../deps.ts";
import { findMembership, type MemberRow } from "./queries.ts";

/** Returns the membership of a user in an organization, or undefined. */
export const findMember = (
  { db }: Pick<Deps, "db">,
  membership: { organizationId: string; userId: string },
): Promise<MemberRow | undefined> => findMembership(db, membership);
