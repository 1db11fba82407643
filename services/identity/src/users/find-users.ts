import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listUsersBy } from "./queries.ts";

type FindUsers = typeof operations.identity.findUsers;

/** The users of some ids or addresses, these in any case; unknown ones are left out. */
export const findUsers = async (
  { db }: Pick<Deps, "db">,
  { body: { ids = [], emails = [] } }: Call<FindUsers>,
): Promise<Answer<OperationReply<FindUsers>>> => {
  if (ids.length + emails.length === 0) return { reply: { users: [] } };
  const addresses = emails.map((email) => email.toLowerCase());
  return { reply: { users: await listUsersBy(db, { ids, emails: addresses }) } };
};
