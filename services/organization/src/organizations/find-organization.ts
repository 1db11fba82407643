import type { Deps } from "../deps.ts";
import { findOrganizationById, type OrganizationRow } from "./queries.ts";

/** An organization by its id; undefined where there is none. */
export const findOrganization = (
  { db }: Pick<Deps, "db">,
  id: string,
): Promise<OrganizationRow | undefined> => findOrganizationById(db, id);
