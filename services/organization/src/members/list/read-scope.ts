import { WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import { organizationOf } from "../../sessions/organization-of.ts";
import type { MemberListQuery } from "./read-member-filter.ts";

/** The caller and the organization, by its id or its slug. */
export type Scope = { userId: string } & ({ organizationId: string } | { slug: string });

/** Returns the organization that a query or else the session names. Throws `NO_ACTIVE_ORGANIZATION`. */
export const readScope = (
  session: ResolvedSession,
  { organizationId: named, organizationSlug: slug }: MemberListQuery,
): Scope => {
  const userId = session.user.id;
  if (slug) return { userId, slug };
  const organizationId = organizationOf(session, named);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return { userId, organizationId };
};
