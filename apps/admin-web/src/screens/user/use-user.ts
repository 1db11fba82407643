import { useQuery } from "@tanstack/react-query";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { adminGetUser, adminReadSignInState } = operations.identity;

/** A user with their accounts. */
export type UserDetail = CallReply<typeof adminGetUser>;
export type User = UserDetail["user"];

export const useUser = (id: string) => useQuery(operationQuery(adminGetUser, { params: { id } }));

/** Queries whether a user can sign in, and the last sign-in. */
export const useSignInState = (id: string) =>
  useQuery(operationQuery(adminReadSignInState, { params: { id } }));
