import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOrganizationsOf } from "./queries.ts";
import { showOrganization } from "./show-organization.ts";

type ListOrganizations = typeof operations.organization.listOrganizations;

const organizationsMax = 100;

/** Returns the organizations of the caller, the oldest first, up to a hundred. */
export const listOrganizations = async (
  { db }: Pick<Deps, "db">,
  { session }: Call<ListOrganizations>,
): Promise<Answer<OperationReply<ListOrganizations>>> => {
  const { id: userId } = session.user;
  const rows = await listOrganizationsOf(db, { userId, limit: organizationsMax });
  return { reply: rows.map(showOrganization) };
};
