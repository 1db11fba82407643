import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import type { Choice } from "../../components/ui/select.tsx";

/** Returns a user as a choice. Its label is the id until the user is loaded, or if loading fails. */
export const useOwner = (userId: string | undefined): Choice | null => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(operations.identity.adminGetUser, { params: { id: userId ?? "none" } }),
    enabled: userId !== undefined && may("user:list"),
    select: ({ user }) => user.email,
  });
  return userId === undefined ? null : { value: userId, label: data ?? userId };
};
