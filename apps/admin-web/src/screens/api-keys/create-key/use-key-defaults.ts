import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../../access/use-access.ts";
import { optionsQuery } from "../../../components/options-query.ts";
import type { KeyDefaults } from "./draft-limits.ts";
import { defaultsOf } from "./key-defaults.ts";

const unknown: KeyDefaults = { rate: undefined, permissions: undefined, lifetime: undefined };

/** Returns the installation's defaults for new keys, as far as this admin may read them. */
export const useKeyDefaults = (): KeyDefaults => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...optionsQuery,
    enabled: may("settings:read"),
    select: ({ options }) => defaultsOf(options),
  });
  return data ?? unknown;
};
