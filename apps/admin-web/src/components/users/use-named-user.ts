import { queryOptions, useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { createUserLookUp, type NamedUser } from "./create-user-look-up.ts";

const lookUpUser = createUserLookUp(async (ids) => {
  const filter = { filterField: "id", filterValue: [...ids], limit: String(ids.length) };
  const query = { ...filter, filterOperator: "in" as const };
  return (await call(operations.identity.adminListUsers, { query })).users;
});

const freshMs = 60_000;

/** Queries the name and the email address of a user. Null stands for a deleted one. */
const namedUserQuery = (id: string) =>
  queryOptions<NamedUser | null>({
    queryKey: ["operation", "named-user", id],
    queryFn: () => lookUpUser(id),
    staleTime: freshMs,
  });

/** Returns the user of an id, null if deleted, or undefined while unknown or without permission to list users. */
export const useNamedUser = (id: string | undefined): NamedUser | null | undefined => {
  const { may } = useAccess();
  const isAsked = id !== undefined && may("user:list");
  return useQuery({ ...namedUserQuery(id ?? ""), enabled: isAsked }).data;
};
