import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationKey } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";

const { hasOrganizationPermission } = operations.organization;

/** A resource and an action on it, such as `member:update`. */
type Permission =
  | `organization:${"update" | "delete"}`
  | `member:${"update" | "delete"}`
  | `invitation:${"create" | "cancel"}`
  | `team:${"create" | "update" | "delete"}`
  | `ac:${"create" | "read" | "update" | "delete"}`
  | `webhook:${"create" | "read" | "update" | "delete"}`
  | `apiKey:${"create" | "read" | "update" | "delete"}`;

/** Roles change rarely, and every change is checked by the server. */
const staleMs = 60_000;

/** Returns whether the user has a permission in an organization. Until it is known they count as not having it. */
export const usePermissions = <Asked extends Permission>(
  organizationId: string,
  asked: readonly Asked[],
): ((permission: Asked) => boolean) => {
  const fetchIfGranted = async (permission: Asked, signal: AbortSignal) => {
    const [resource = "", action = ""] = permission.split(":");
    const body = { permissions: { [resource]: [action] }, organizationId };
    const { success } = await call(hasOrganizationPermission, { body }, signal);
    return success ? [permission] : [];
  };
  const { data } = useQuery({
    queryKey: operationKey(hasOrganizationPermission, { organizationId, asked }),
    queryFn: async ({ signal }) =>
      (await Promise.all(asked.map((permission) => fetchIfGranted(permission, signal)))).flat(),
    staleTime: staleMs,
  });
  return (permission) => data?.includes(permission) === true;
};
