import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { createLookUp } from "../../api/create-look-up.ts";

/** The members of a user that name them. */
export interface NamedUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const lookUpUser = createLookUp<NamedUser>(async (ids) => {
  const filter = { filterField: "id", filterValue: [...ids], limit: String(ids.length) };
  const query = { ...filter, filterOperator: "in" as const };
  return (await call(operations.identity.adminListUsers, { query })).users;
});

const freshMs = 60_000;

interface Named {
  /** Null if deleted, undefined while unknown or without permission to list users. */
  user: NamedUser | null | undefined;
  isLoading: boolean;
}

/** Looks up the user of an id. */
export const useNamedUser = (id: string | undefined): Named => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    queryKey: ["operation", "named-user", id],
    queryFn: () => lookUpUser(id ?? ""),
    staleTime: freshMs,
    enabled: id !== undefined && may("user:list"),
  });
  return { user: data, isLoading };
};
