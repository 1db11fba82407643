import type { Member } from "@latchkey/contracts";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";
import { memberColumns } from "../db/tables.ts";
import type { MemberRow } from "./queries.ts";

const pickWithTeam = picker<Member>(namesOf(memberColumns));
const pickWithoutTeam = picker<Member>(namesOf(withoutColumns(memberColumns, "teamId")));

/** Returns a membership for replies. Includes the team only if teams are enabled. */
export const showMember = (
  { organization }: Pick<OrganizationConfig, "organization">,
  row: MemberRow,
): Member => (organization.teams.enabled ? pickWithTeam(row) : pickWithoutTeam(row));
