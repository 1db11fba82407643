import type { ResolvedSession } from "@latchkey/service-kit";

/** Returns the organization that a request names, or the active one of its session. */
export const organizationOf = (
  { session }: ResolvedSession,
  named: string | null | undefined,
): string | undefined => named || session.activeOrganizationId || undefined;
