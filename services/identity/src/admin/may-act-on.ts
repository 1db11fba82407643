import {
  hasPermissions,
  mayActOn,
  type OperationReply,
  type operations,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listRoles } from "./queries.ts";

type MayActOn = typeof operations.identity.mayActOn;

/** Returns to a service whether one of its admin operations may act on these users, by their current roles. */
export const mayActOnUsers = async (
  { config: { admin }, db }: Pick<Deps, "config" | "db">,
  { body: { userId, permission, targetIds } }: Call<MayActOn>,
): Promise<Answer<OperationReply<MayActOn>>> => {
  const users = await listRoles(db, [userId, ...targetIds]);
  const caller = users.find(({ id }) => id === userId);
  const success =
    caller !== undefined &&
    hasPermissions(admin, caller, { [permission.resource]: [permission.action] }) &&
    users.every((user) => mayActOn(admin, caller, user));
  return { reply: { success } };
};
