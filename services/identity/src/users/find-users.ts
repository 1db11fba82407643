import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listUsersBy, listUsersWithoutSecondFactor } from "./queries.ts";

type FindUsers = typeof operations.identity.findUsers;

/**
 * Returns the users with these ids or addresses, the latter in any case. Leaves out unknown ones, and on request those with a second
 * factor.
 */
export const findUsers = async (
  { db }: Pick<Deps, "db">,
  { body: { ids = [], emails = [], withoutSecondFactor = false } }: Call<FindUsers>,
): Promise<Answer<OperationReply<FindUsers>>> => {
  if (ids.length + emails.length === 0) return { reply: { users: [] } };
  const addresses = emails.map((email) => email.toLowerCase());
  const list = withoutSecondFactor ? listUsersWithoutSecondFactor : listUsersBy;
  return { reply: { users: await list(db, { ids, emails: addresses }) } };
};
