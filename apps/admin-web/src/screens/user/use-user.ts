import { useQuery } from "@tanstack/react-query";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { adminGetUser } = operations.identity;

/** A user with their accounts. */
export type UserDetail = CallReply<typeof adminGetUser>;
export type User = UserDetail["user"];

export const useUser = (id: string) => useQuery(operationQuery(adminGetUser, { params: { id } }));
