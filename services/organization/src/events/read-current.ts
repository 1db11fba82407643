import type {
  EventInvitation,
  EventMember,
  EventOrganization,
  EventOrganizationRole,
  EventTeam,
} from "@latchkey/contracts";
import { namesOf, type RowOf } from "@latchkey/service-kit/database";
import type { AuditedChange } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  organizationRoleColumns,
  type Tables,
  teamColumns,
} from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { teamIdsOf } from "../rows/invitations.ts";
import type { RoleRow } from "../rows/roles.ts";
import { listTeamIds } from "../rows/team-members.ts";

/** The current rows that events show, by id. */
export interface Current {
  organization: ReadonlyMap<string, EventOrganization>;
  member: ReadonlyMap<string, EventMember>;
  invitation: ReadonlyMap<string, EventInvitation>;
  team: ReadonlyMap<string, EventTeam>;
  role: ReadonlyMap<string, EventOrganizationRole>;
}

/** Returns a value of the audit if it is a text. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns the texts of a list in the audit. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** Returns the ids of the changed object, or of several. */
export const idsOf = ({ before, after }: AuditedChange): string[] => {
  const id = text(after?.["id"] ?? before?.["id"]);
  return id === "" ? texts(before?.["invitationIds"]) : [id];
};

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

const iso = (time: Date): string => time.toISOString();

const showOrganization = ({
  extra: _,
  metadata: _metadata,
  createdAt,
  ...row
}: RowOf<typeof organizationColumns>): EventOrganization => ({ ...row, createdAt: iso(createdAt) });
const showMember = (
  { extra: _, createdAt, ...row }: RowOf<typeof memberColumns>,
  teamIds: ReadonlyMap<string, string[]>,
): EventMember => ({
  ...row,
  teamIds: teamIds.get(row.id) ?? [],
  createdAt: iso(createdAt),
});
const showInvitation = ({
  extra: _,
  moreTeamIds,
  createdAt,
  expiresAt,
  ...row
}: RowOf<typeof invitationColumns>): EventInvitation => ({
  ...row,
  teamIds: teamIdsOf({ teamId: row.teamId, moreTeamIds }),
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
});
const showTeam = ({
  extra: _,
  updatedAt: _updatedAt,
  createdAt,
  ...row
}: RowOf<typeof teamColumns>): EventTeam => ({ ...row, createdAt: iso(createdAt) });

const showRole = ({ permission, createdAt, ...row }: RoleRow): EventOrganizationRole => ({
  id: row.id,
  organizationId: row.organizationId,
  role: row.role,
  permission: JSON.parse(permission) as EventOrganizationRole["permission"], // as this service wrote it
  createdAt: iso(createdAt),
});

/** The names of the columns of each table that events show. */
const columnNames = {
  organization: namesOf(organizationColumns),
  member: namesOf(memberColumns),
  invitation: namesOf(invitationColumns),
  team: namesOf(teamColumns),
  organizationRole: namesOf(organizationRoleColumns),
};

/** Reads the rows of one table with these ids. */
const readRows = async <Row>(
  trx: Kysely<Tables>,
  table: keyof typeof columnNames,
  ids: readonly string[],
): Promise<Row[]> => {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom(table)
    .select(columnNames[table] as "id"[])
    .where("id", "in", [...ids])
    .execute();
  return rows as Row[]; // the names are those of the row
};

/** Reads the rows that the changes name. */
export const readCurrent = async (
  { fields }: Pick<Deps, "fields">,
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<Current> => {
  const read = async <Row>(
    table: keyof typeof columnNames,
    idsIn: (change: AuditedChange) => readonly string[],
    subject: string = table,
  ) => {
    const about = changes.filter(({ action }) => action.startsWith(`${subject}.`));
    return readRows<Row>(trx, table, [...new Set(about.flatMap(idsIn))]);
  };
  const organizations = await read<RowOf<typeof organizationColumns>>(
    "organization",
    ({ subjectId }) => [subjectId],
  );
  const members = await read<RowOf<typeof memberColumns>>("member", idsOf);
  const teamIds = await listTeamIds(
    trx,
    members.map(({ id }) => id),
  );
  const invitations = await read<RowOf<typeof invitationColumns>>("invitation", (change) => [
    ...idsOf(change),
    ...texts(change.before?.["withdrawn"]),
  ]);
  const teams = await read<RowOf<typeof teamColumns>>("team", idsOf);
  const roles = await read<RoleRow>("organizationRole", idsOf, "organization-role");
  return {
    organization: byId(
      organizations.map((row) => fields.organization.addTo(showOrganization(row), row.extra)),
    ),
    member: byId(members.map((row) => fields.member.addTo(showMember(row, teamIds), row.extra))),
    invitation: byId(
      invitations.map((row) => fields.invitation.addTo(showInvitation(row), row.extra)),
    ),
    team: byId(teams.map((row) => fields.team.addTo(showTeam(row), row.extra))),
    role: byId(roles.map(showRole)),
  };
};
