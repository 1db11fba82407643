import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../access/use-access.ts";
import { type OptionName, optionsQuery } from "./options-query.ts";

/** Returns the effective value of an option, undefined if this admin may not read settings, and whether it is still being read. */
export const useOptionReading = (option: OptionName): { value: unknown; isPending: boolean } => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    ...optionsQuery,
    enabled: may("settings:read"),
    select: ({ options }) => options.find(({ name }) => name === option)?.value,
  });
  return { value: data, isPending: isLoading };
};

/** Returns the effective value of an option, or undefined while it is unknown. */
export const useOption = (option: OptionName): unknown => useOptionReading(option).value;
