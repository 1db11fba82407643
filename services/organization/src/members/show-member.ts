import type { Member } from "@latchkey/contracts";
import { namesOf, picker } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";
import { memberColumns } from "../db/tables.ts";
import type { MemberRow } from "./queries.ts";

const pickMember = picker<MemberRow>(namesOf(memberColumns));

/** Returns a membership for replies. Includes the team only if teams are enabled. */
export const showMember = (
  { organization }: Pick<OrganizationConfig, "organization">,
  row: MemberRow,
): Member => {
  const { teamId, ...member } = pickMember(row);
  return { ...member, ...(organization.teams.enabled ? { teamId } : {}) };
};
