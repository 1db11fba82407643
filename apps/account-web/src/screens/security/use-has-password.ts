import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { hasPassword } from "./sign-in-account.ts";

/** Whether the user has a password, which changes of the second factor ask for. Assumes one until it is known. */
export const useHasPassword = (): boolean => {
  const { data } = useQuery(operationQuery(operations.identity.listAccounts, {}));
  return data === undefined || hasPassword(data);
};
