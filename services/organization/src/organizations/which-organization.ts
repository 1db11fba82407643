import type { ResolvedSession } from "@latchkey/service-kit";
import { organizationOf } from "../sessions/organization-of.ts";
import type { WhichOrganization } from "./queries.ts";

/** The parts of a request that identify an organization. */
interface Asked {
  organizationId?: string | null | undefined;
  organizationSlug?: string | undefined;
}

/** Returns the organization that a request names by slug or by id, or the active one of its session. */
export const whichOrganization = (
  session: ResolvedSession,
  { organizationId, organizationSlug }: Asked,
): WhichOrganization | undefined => {
  if (organizationSlug) return { slug: organizationSlug };
  const id = organizationOf(session, organizationId);
  return id === undefined ? undefined : { id };
};
