import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { ownerValue } from "../../components/api-keys/owner-choice.ts";
import type { Choice } from "@latchkey/ui/components/select.tsx";

interface NamedOwner {
  userId?: string | undefined;
  organizationId?: string | undefined;
}

/**
 * Returns the owner in the address as a choice: a user, otherwise an organization. Its label is the id until the owner is loaded, or if
 * loading fails.
 */
export const useOwner = ({ userId, organizationId }: NamedOwner): Choice | null => {
  const { may } = useAccess();
  const { data: email } = useQuery({
    ...operationQuery(operations.identity.adminGetUser, { params: { id: userId ?? "none" } }),
    enabled: userId !== undefined && may("user:list"),
    select: ({ user }) => user.email,
  });
  const { data: name } = useQuery({
    ...operationQuery(operations.organization.adminGetOrganization, {
      params: { id: organizationId ?? "none" },
    }),
    enabled: userId === undefined && organizationId !== undefined && may("organization:get"),
    select: (organization) => organization.name,
  });
  if (userId !== undefined) return { value: ownerValue({ userId }), label: email ?? userId };
  if (organizationId === undefined) return null;
  return { value: ownerValue({ organizationId }), label: name ?? organizationId };
};
