import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQueries } from "@tanstack/react-query";

/** A resource and an action on it, such as `member:update`. */
type Permission =
  | `organization:${"update" | "delete"}`
  | `member:${"update" | "delete"}`
  | `invitation:${"create" | "cancel"}`
  | `team:${"create" | "update" | "delete"}`;

/** Roles change rarely, and every change is checked by the server. */
const staleMs = 60_000;

/** Returns whether the user has a permission in an organization. Until it is known they count as not having it. */
export const usePermissions = <Asked extends Permission>(
  organizationId: string,
  asked: readonly Asked[],
): ((permission: Asked) => boolean) => {
  const answers = useQueries({
    queries: asked.map((permission) => {
      const [resource = "", action = ""] = permission.split(":");
      return {
        ...operationQuery(operations.organization.hasOrganizationPermission, {
          body: { permissions: { [resource]: [action] }, organizationId },
        }),
        staleTime: staleMs,
      };
    }),
  });
  return (permission) => answers[asked.indexOf(permission)]?.data?.success === true;
};
