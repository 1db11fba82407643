import { operations } from "@latchkey/ui/api/contracts.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { facts } from "../../facts.ts";

const { getActiveMemberRole, listRoles } = operations.organization;

export type MadeRole = CallReply<typeof listRoles>[number];

/** Reads the roles that an organization made itself. Members who may not read them see none. */
export const useMadeRoles = (organizationId: string) =>
  useQuery({
    ...operationQuery(listRoles, { query: { organizationId } }),
    enabled: isOffered(listRoles),
  });

/**
 * Returns whether the user has a permission in an organization, by what its roles allow. It serves to show many permissions at once. The
 * server checks each change.
 */
export const useHolds = (
  organizationId: string,
): ((resource: string, action: string) => boolean) => {
  const { data: own } = useQuery(
    operationQuery(getActiveMemberRole, { query: { organizationId } }),
  );
  const { data: made = [] } = useMadeRoles(organizationId);
  const granted = (own?.role.split(",") ?? []).map(
    (name) =>
      facts.rolePermissions?.[name] ?? made.find(({ role }) => role === name)?.permission ?? {},
  );
  return (resource, action) =>
    granted.some((permission) => permission[resource]?.includes(action) === true);
};
