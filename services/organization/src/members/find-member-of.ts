import type { Deps } from "../deps.ts";
import { findMemberById, type MemberRow } from "./queries.ts";

/** A membership of an organization by its id; undefined for one of another organization too. */
export const findMemberOf = (
  { db }: Pick<Deps, "db">,
  membership: { organizationId: string; id: string },
): Promise<MemberRow | undefined> => findMemberById(db, membership);
