import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";

const { adminReadSettings } = operations.gateway;

/** Returns whether an option is on. Undefined while unknown, and to admins who may not read the settings. */
export const useSetting = (option: string): boolean | undefined => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) => options.some(({ name, value }) => name === option && value === true),
  });
  return data;
};
