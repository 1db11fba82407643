import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUserColumns } from "./queries.ts";

type DescribeUsers = typeof operations.identity.describeUsers;

/** Returns the names, addresses and images of the users with these ids, each in the order of the ids. An unknown user has nulls. */
export const describeUsers = async (
  { db }: Pick<Deps, "db">,
  { body: { ids } }: Call<DescribeUsers>,
): Promise<Answer<OperationReply<DescribeUsers>>> => ({ reply: await findUserColumns(db, ids) });
