import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { accessQuery } from "../access/access-query.ts";
import { operations } from "../api/contracts.ts";
import { useOperation } from "../api/use-operation.ts";

/** Ends an impersonation and returns to the impersonated user's screen. */
export const useStopImpersonating = (userId: string) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useOperation(operations.identity.adminStopImpersonating, {
    done: "You are yourself again.",
    onDone: async () => {
      await client.fetchQuery({ ...accessQuery, staleTime: 0 });
      await navigate({ to: "/users/$userId", params: { userId } });
    },
  });
  return { stop: () => mutate({}), isPending };
};
