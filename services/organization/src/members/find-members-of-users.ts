import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { listMembershipsOfUsers, type MemberRow } from "./queries.ts";

/** Returns the memberships of some users in an organization, leaving out users who are not members. */
export const findMembersOfUsers = (
  db: Kysely<Tables>,
  users: { organizationId: string; userIds: readonly string[] },
): Promise<MemberRow[]> => listMembershipsOfUsers(db, users);
