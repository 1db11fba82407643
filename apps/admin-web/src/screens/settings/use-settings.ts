import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { fittingOptions } from "./fitting-options.ts";
import type { SettingsSearch } from "./settings-search.ts";

const { adminReadSettings } = operations.gateway;

/** Queries the options that the address selects. The server returns all of them; they are searched here. */
export const useSettings = (search: SettingsSearch) =>
  useQuery({
    ...operationQuery(adminReadSettings, {}),
    select: ({ options }) => {
      const rows = fittingOptions(options, search);
      return { rows, total: rows.length };
    },
  });
