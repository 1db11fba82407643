import type {
  EventInvitation,
  EventMember,
  EventOrganization,
  EventOrganizationRole,
  EventTeam,
  EventTypeOf,
  RecordedEvent,
} from "@latchkey/contracts";
import { namesOf, type RowOf } from "@latchkey/service-kit/database";
import { type AuditedChange, describeChange, type Describers } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  organizationRoleColumns,
  type Tables,
  teamColumns,
} from "../db/tables.ts";
import type { RoleRow } from "../rows/roles.ts";
import { listTeamIds } from "../rows/team-members.ts";

/** The current rows that events show, by id. */
interface Current {
  organization: ReadonlyMap<string, EventOrganization>;
  member: ReadonlyMap<string, EventMember>;
  invitation: ReadonlyMap<string, EventInvitation>;
  team: ReadonlyMap<string, EventTeam>;
  role: ReadonlyMap<string, EventOrganizationRole>;
}

type Describe = (change: AuditedChange, current: Current) => RecordedEvent[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

const ofOrganization = (id: string) => ({ kind: "organization", id }) as const;

/** Returns the ids of the changed object, or of several. */
const idsOf = ({ before, after }: AuditedChange): string[] => {
  const id = text(after?.["id"] ?? before?.["id"]);
  return id === "" ? texts(before?.["invitationIds"]) : [id];
};

const organizationEvent =
  (type: "organization.created" | "organization.updated"): Describe =>
  ({ subjectId: organizationId }, { organization }) => [
    {
      type,
      subject: ofOrganization(organizationId),
      data: { organizationId, organization: organization.get(organizationId) ?? null },
    },
  ];

const memberEvent =
  (type: "member.added" | "member.updated"): Describe =>
  (change, { member }) => {
    const organizationId = change.subjectId;
    const userId = text(change.after?.["userId"] ?? change.before?.["userId"]);
    return idsOf(change).map((memberId) => ({
      type,
      subject: ofOrganization(organizationId),
      data: { organizationId, memberId, userId, member: member.get(memberId) ?? null },
    }));
  };

const memberRemoved: Describe = (change) => {
  const organizationId = change.subjectId;
  const userId = text(change.before?.["userId"]);
  return idsOf(change).map((memberId) => ({
    type: "member.removed",
    subject: ofOrganization(organizationId),
    data: { organizationId, memberId, userId },
  }));
};

type InvitationType = Extract<RecordedEvent["type"], `invitation.${string}`>;

/** A new invitation names those to the same address that it withdraws. They are canceled. */
const invitationsOf = (type: InvitationType, change: AuditedChange): string[] =>
  change.action === "invitation.created" && type === "invitation.canceled"
    ? texts(change.before?.["withdrawn"])
    : idsOf(change);

const invitationEvent =
  (type: InvitationType): Describe =>
  (change, { invitation }) =>
    invitationsOf(type, change).map((invitationId) => ({
      type,
      subject: ofOrganization(change.subjectId),
      data: {
        organizationId: change.subjectId,
        invitationId,
        invitation: invitation.get(invitationId) ?? null,
      },
    }));

const teamEvent =
  (type: "team.created" | "team.updated"): Describe =>
  (change, { team }) =>
    idsOf(change).map((teamId) => ({
      type,
      subject: ofOrganization(change.subjectId),
      data: { organizationId: change.subjectId, teamId, team: team.get(teamId) ?? null },
    }));

const teamDeleted: Describe = (change) =>
  idsOf(change).map((teamId) => ({
    type: "team.deleted",
    subject: ofOrganization(change.subjectId),
    data: { organizationId: change.subjectId, teamId },
  }));

const roleEvent =
  (type: "organization-role.created" | "organization-role.updated"): Describe =>
  (change, { role }) =>
    idsOf(change).map((roleId) => ({
      type,
      subject: ofOrganization(change.subjectId),
      data: { organizationId: change.subjectId, roleId, role: role.get(roleId) ?? null },
    }));

const roleDeleted: Describe = (change) =>
  idsOf(change).map((roleId) => ({
    type: "organization-role.deleted",
    subject: ofOrganization(change.subjectId),
    data: { organizationId: change.subjectId, roleId },
  }));

const organizationDeleted: Describe = ({ subjectId: organizationId }) => [
  {
    type: "organization.deleted",
    subject: ofOrganization(organizationId),
    data: { organizationId },
  },
];

const describers: Describers<EventTypeOf<"organization">, Current> = {
  "organization.created": organizationEvent("organization.created"),
  "organization.updated": organizationEvent("organization.updated"),
  "organization.deleted": organizationDeleted,
  "member.added": memberEvent("member.added"),
  "member.updated": memberEvent("member.updated"),
  "member.removed": memberRemoved,
  "invitation.created": invitationEvent("invitation.created"),
  "invitation.updated": invitationEvent("invitation.updated"),
  "invitation.accepted": invitationEvent("invitation.accepted"),
  "invitation.rejected": invitationEvent("invitation.rejected"),
  "invitation.canceled": invitationEvent("invitation.canceled"),
  "team.created": teamEvent("team.created"),
  "team.updated": teamEvent("team.updated"),
  "team.deleted": teamDeleted,
  "organization-role.created": roleEvent("organization-role.created"),
  "organization-role.updated": roleEvent("organization-role.updated"),
  "organization-role.deleted": roleDeleted,
};

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

const iso = (time: Date): string => time.toISOString();

const showOrganization = (row: RowOf<typeof organizationColumns>): EventOrganization => ({
  ...row,
  createdAt: iso(row.createdAt),
});
const showMember = (
  row: RowOf<typeof memberColumns>,
  teamIds: ReadonlyMap<string, string[]>,
): EventMember => ({
  ...row,
  teamIds: teamIds.get(row.id) ?? [],
  createdAt: iso(row.createdAt),
});
const showInvitation = (row: RowOf<typeof invitationColumns>): EventInvitation => ({
  ...row,
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
});
const showTeam = (row: RowOf<typeof teamColumns>): EventTeam => ({
  ...row,
  createdAt: iso(row.createdAt),
});

const showRole = ({ permission, createdAt, ...row }: RoleRow): EventOrganizationRole => ({
  id: row.id,
  organizationId: row.organizationId,
  role: row.role,
  permission: JSON.parse(permission) as EventOrganizationRole["permission"], // as this service wrote it
  createdAt: iso(createdAt),
});

/** The names of the columns of each table that events show. */
const shownNames = {
  organization: namesOf(organizationColumns),
  member: namesOf(memberColumns),
  invitation: namesOf(invitationColumns),
  team: namesOf(teamColumns),
  organizationRole: namesOf(organizationRoleColumns),
};

/** Reads the rows of one table with these ids. */
const readRows = async <Row>(
  trx: Kysely<Tables>,
  table: keyof typeof shownNames,
  ids: readonly string[],
): Promise<Row[]> => {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom(table)
    .select(shownNames[table] as "id"[])
    .where("id", "in", [...ids])
    .execute();
  return rows as Row[]; // the names are those of the row
};

/** Reads the rows that the changes name. */
const readCurrent = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<Current> => {
  const read = async <Row>(
    table: keyof typeof shownNames,
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
    organization: byId(organizations.map(showOrganization)),
    member: byId(members.map((row) => showMember(row, teamIds))),
    invitation: byId(invitations.map(showInvitation)),
    team: byId(teams.map(showTeam)),
    role: byId(roles.map(showRole)),
  };
};

/** Returns the events of audit entries, with the current objects. */
export const describeChanges = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<RecordedEvent[][]> => {
  const current = await readCurrent(trx, changes);
  return changes.map((change) =>
    change.subjectKind === "organization" ? describeChange(describers, change, current) : [],
  );
};
