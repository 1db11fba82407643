import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

/** Queries whether a user can sign in, and the last sign-in. */
export const useSignInState = (id: string) =>
  useQuery(operationQuery(operations.identity.adminReadSignInState, { params: { id } }));
