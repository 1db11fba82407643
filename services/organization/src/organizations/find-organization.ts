import type { Deps } from "../deps.ts";
import { findOrganizationById, type OrganizationRow } from "./queries.ts";

/** Returns an organization by its id, or undefined. */
export const findOrganization = (
  { db }: Pick<Deps, "db">,
  id: string,
): Promise<OrganizationRow | undefined> => findOrganizationById(db, id);
