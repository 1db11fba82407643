import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

/** Returns the effective value of an option, undefined if this admin may not read settings, and whether it is still being read. */
export const useOptionReading = (option: string): { value: unknown; isPending: boolean } => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    ...operationQuery(operations.gateway.adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) => options.find(({ name }) => name === option)?.value,
  });
  return { value: data, isPending: isLoading };
};

/** Returns the effective value of an option, or undefined while it is unknown. */
export const useOption = (option: string): unknown => useOptionReading(option).value;
