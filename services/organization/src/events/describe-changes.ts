import type {
  EventInvitation,
  EventMember,
  EventOrganization,
  EventTeam,
  RecordedEvent,
} from "@latchkey/contracts";
import { type AuditedChange, namesOf } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  type Tables,
  teamColumns,
} from "../db/tables.ts";

/** The current rows that events show, by id. */
interface Current {
  organization: ReadonlyMap<string, EventOrganization>;
  member: ReadonlyMap<string, EventMember>;
  invitation: ReadonlyMap<string, EventInvitation>;
  team: ReadonlyMap<string, EventTeam>;
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

const invitationsWith = (
  type: InvitationType,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  { invitation }: Current,
): RecordedEvent[] =>
  ids.map((invitationId) => ({
    type,
    subject: ofOrganization(organizationId),
    data: {
      organizationId,
      invitationId,
      invitation: invitation.get(invitationId) ?? null,
    },
  }));

const invitationEvent =
  (type: InvitationType): Describe =>
  (change, current) =>
    invitationsWith(type, { organizationId: change.subjectId, ids: idsOf(change) }, current);

/** A new invitation may withdraw earlier ones to the same address. */
const invitationCreated: Describe = (change, current) => {
  const organizationId = change.subjectId;
  const withdrawn = texts(change.before?.["withdrawn"]);
  return [
    ...invitationsWith("invitation.canceled", { organizationId, ids: withdrawn }, current),
    ...invitationsWith(
      "invitation.created",
      { organizationId, ids: [text(change.after?.["id"])] },
      current,
    ),
  ];
};

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

/** The audited actions that are events. */
const described: Readonly<Record<string, Describe>> = {
  "organization.created": organizationEvent("organization.created"),
  "organization.updated": organizationEvent("organization.updated"),
  "organization.two-factor-policy-changed": organizationEvent("organization.updated"),
  "organization.deleted": ({ subjectId: organizationId }) => [
    {
      type: "organization.deleted",
      subject: ofOrganization(organizationId),
      data: { organizationId },
    },
  ],
  "member.added": memberEvent("member.added"),
  "member.role-changed": memberEvent("member.updated"),
  "member.team-changed": memberEvent("member.updated"),
  "member.removed": memberRemoved,
  "invitation.created": invitationCreated,
  "invitation.resent": invitationEvent("invitation.updated"),
  "invitation.accepted": invitationEvent("invitation.accepted"),
  "invitation.rejected": invitationEvent("invitation.rejected"),
  "invitation.canceled": invitationEvent("invitation.canceled"),
  "invitation.deleted": invitationEvent("invitation.canceled"),
  "team.created": teamEvent("team.created"),
  "team.updated": teamEvent("team.updated"),
  "team.removed": teamDeleted,
};

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

const iso = (time: Date): string => time.toISOString();

/** Reads the rows of one table that the changes name. */
const readCurrent = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<Current> => {
  const idsFor = (noun: string, of: (change: AuditedChange) => readonly string[]) => {
    const about = changes.filter(({ action }) => action.startsWith(`${noun}.`));
    return [...new Set(about.flatMap(of))];
  };
  const none = <Row>(): Row[] => [];
  const organizationIds = idsFor("organization", ({ subjectId }) => [subjectId]);
  const organizations =
    organizationIds.length === 0
      ? none<never>()
      : await trx
          .selectFrom("organization")
          .select(namesOf(organizationColumns))
          .where("id", "in", organizationIds)
          .execute();
  const memberIds = idsFor("member", idsOf);
  const members =
    memberIds.length === 0
      ? none<never>()
      : await trx
          .selectFrom("member")
          .select(namesOf(memberColumns))
          .where("id", "in", memberIds)
          .execute();
  const invitationIds = idsFor("invitation", (change) => [
    ...idsOf(change),
    ...texts(change.before?.["withdrawn"]),
  ]);
  const invitations =
    invitationIds.length === 0
      ? none<never>()
      : await trx
          .selectFrom("invitation")
          .select(namesOf(invitationColumns))
          .where("id", "in", invitationIds)
          .execute();
  const teamIds = idsFor("team", idsOf);
  const teams =
    teamIds.length === 0
      ? none<never>()
      : await trx
          .selectFrom("team")
          .select(namesOf(teamColumns))
          .where("id", "in", teamIds)
          .execute();
  return {
    organization: byId(organizations.map((row) => ({ ...row, createdAt: iso(row.createdAt) }))),
    member: byId(members.map((row) => ({ ...row, createdAt: iso(row.createdAt) }))),
    invitation: byId(
      invitations.map((row) => ({
        ...row,
        createdAt: iso(row.createdAt),
        expiresAt: iso(row.expiresAt),
      })),
    ),
    team: byId(teams.map((row) => ({ ...row, createdAt: iso(row.createdAt) }))),
  };
};

/** Returns the events of audit entries, with the current objects. */
export const describeChanges = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<RecordedEvent[][]> => {
  const current = await readCurrent(trx, changes);
  return changes.map((change) => {
    const isKnown =
      change.subjectKind === "organization" && Object.hasOwn(described, change.action);
    return isKnown ? (described[change.action]?.(change, current) ?? []) : [];
  });
};
