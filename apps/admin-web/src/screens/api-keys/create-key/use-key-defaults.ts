import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import type { KeyDefaults } from "./draft-limits.ts";
import { defaultsOf } from "./key-defaults.ts";

const { adminReadSettings } = operations.gateway;

const unknown: KeyDefaults = { rate: undefined, permissions: undefined, lifetime: undefined };

/** Returns the installation's defaults for new keys, as far as this admin may read them. */
export const useKeyDefaults = (): KeyDefaults => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) => defaultsOf(options),
  });
  return data ?? unknown;
};
