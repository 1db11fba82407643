import type { ResolvedSession } from "@latchkey/service-kit";
import { organizationOf } from "../sessions/organization-of.ts";
import type { WhichOrganization } from "./queries.ts";

/** What a request says of the organization that it is about. */
interface Asked {
  organizationId?: string | null | undefined;
  organizationSlug?: string | undefined;
}

/** The organization that a request is about: by slug, by id, or the one that its session works in. */
export const whichOrganization = (
  session: ResolvedSession,
  { organizationId, organizationSlug }: Asked,
): WhichOrganization | undefined => {
  if (organizationSlug) return { slug: organizationSlug };
  const id = organizationOf(session, organizationId);
  return id === undefined ? undefined : { id };
};
