import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { listMembershipsOfUsers, type MemberRow } from "./queries.ts";

/** The memberships that some users have in an organization; who is no member is left out. */
export const findMembersOfUsers = (
  db: Kysely<Tables>,
  users: { organizationId: string; userIds: readonly string[] },
): Promise<MemberRow[]> => listMembershipsOfUsers(db, users);
