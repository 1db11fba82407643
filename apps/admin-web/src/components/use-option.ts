import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../access/use-access.ts";
import { operations } from "../api/contracts.ts";
import { operationQuery } from "../api/operation-query.ts";

/** Returns the effective value of an option, or undefined if this admin may not read settings. */
export const useOption = (option: string): unknown => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(operations.gateway.adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) => options.find(({ name }) => name === option)?.value,
  });
  return data;
};
