import type { EventTypeOf, RecordedEvent } from "@latchkey/contracts";
import { type AuditedChange, describeChange, type Describers } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type Current, idsOf, readCurrent, text, texts } from "./read-current.ts";

type Describe = (change: AuditedChange, current: Current) => RecordedEvent[];

const ofOrganization = (id: string) => ({ kind: "organization", id }) as const;

/** Members of entries that clients know by another name. */
const shownNames: Readonly<Record<string, string>> = {
  teamId: "teamIds",
  requiredFrom: "secondFactorFrom",
};

/** Names the changed members, with additional fields by their own names. */
const changesOf = ({ after }: AuditedChange): string[] => {
  const { id: _, userId: _userId, extra, ...members } = after ?? {};
  return [
    ...Object.keys(members).map((name) => shownNames[name] ?? name),
    ...Object.keys(extra ?? {}),
  ];
};

const aboutOrganization = (
  { subjectId: organizationId }: AuditedChange,
  { organization }: Current,
) => ({
  subject: ofOrganization(organizationId),
  data: { organizationId, organization: organization.get(organizationId) ?? null },
});

const organizationCreated: Describe = (change, current) => [
  { type: "organization.created", ...aboutOrganization(change, current) },
];

const organizationUpdated: Describe = (change, current) => {
  const { subject, data } = aboutOrganization(change, current);
  return [{ type: "organization.updated", subject, data: { ...data, changes: changesOf(change) } }];
};

const aboutMembers = (change: AuditedChange, { member }: Current) => {
  const organizationId = change.subjectId;
  const userId = text(change.after?.["userId"] ?? change.before?.["userId"]);
  return idsOf(change).map((memberId) => ({
    subject: ofOrganization(organizationId),
    data: { organizationId, memberId, userId, member: member.get(memberId) ?? null },
  }));
};

const memberAdded: Describe = (change, current) =>
  aboutMembers(change, current).map(({ subject, data }) => ({
    type: "member.added",
    subject,
    data,
  }));

const memberUpdated: Describe = (change, current) =>
  aboutMembers(change, current).map(({ subject, data }) => ({
    type: "member.updated",
    subject,
    data: Object.assign(data, { changes: changesOf(change) }),
  }));

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

const aboutTeams = (change: AuditedChange, { team }: Current) =>
  idsOf(change).map((teamId) => ({
    subject: ofOrganization(change.subjectId),
    data: { organizationId: change.subjectId, teamId, team: team.get(teamId) ?? null },
  }));

const teamCreated: Describe = (change, current) =>
  aboutTeams(change, current).map(({ subject, data }) => ({ type: "team.created", subject, data }));

const teamUpdated: Describe = (change, current) =>
  aboutTeams(change, current).map(({ subject, data }) => ({
    type: "team.updated",
    subject,
    data: Object.assign(data, { changes: changesOf(change) }),
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
  "organization.created": organizationCreated,
  "organization.updated": organizationUpdated,
  "organization.deleted": organizationDeleted,
  "member.added": memberAdded,
  "member.updated": memberUpdated,
  "member.removed": memberRemoved,
  "invitation.created": invitationEvent("invitation.created"),
  "invitation.updated": invitationEvent("invitation.updated"),
  "invitation.accepted": invitationEvent("invitation.accepted"),
  "invitation.rejected": invitationEvent("invitation.rejected"),
  "invitation.canceled": invitationEvent("invitation.canceled"),
  "team.created": teamCreated,
  "team.updated": teamUpdated,
  "team.deleted": teamDeleted,
  "organization-role.created": roleEvent("organization-role.created"),
  "organization-role.updated": roleEvent("organization-role.updated"),
  "organization-role.deleted": roleDeleted,
};

/** Creates the function that returns the events of audit entries, with the current objects. */
export const createDescribeChanges =
  (deps: Pick<Deps, "fields">) =>
  async (trx: Kysely<Tables>, changes: readonly AuditedChange[]): Promise<RecordedEvent[][]> => {
    const current = await readCurrent(deps, trx, changes);
    return changes.map((change) =>
      change.subjectKind === "organization" ? describeChange(describers, change, current) : [],
    );
  };
