import type { Deps } from "../deps.ts";
import { findMembership, type MemberRow } from "./queries.ts";

/** The membership of a user in an organization; undefined where there is none. */
export const findMember = (
  { db }: Pick<Deps, "db">,
  membership: { organizationId: string; userId: string },
): Promise<MemberRow | undefined> => findMembership(db, membership);
