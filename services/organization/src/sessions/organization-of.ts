import type { ResolvedSession } from "@latchkey/service-kit";

/** The organization that a request is about: the one that it names, else the one that its session works in. */
export const organizationOf = (
  { session }: ResolvedSession,
  named: string | null | undefined,
): string | undefined => named || session.activeOrganizationId || undefined;
