import { sql } from "kysely";
import { schema } from "../db/tables.ts";

const table = (name: string) => sql.id(schema, name);

interface MembershipRow {
  id: string;
  name: string;
  slug: string;
  role: string;
  teamId: string | null;
  teamName: string | null;
  createdAt: Date;
}

/** Selects a user's organizations, oldest membership first. */
export const selectMemberships = (userId: string) => sql<MembershipRow>`
  select organization.id, organization.name, organization.slug, member.role,
    team.id as team_id, team.name as team_name, member.created_at
  from ${table("member")} as member
  join ${table("organization")} as organization on organization.id = member.organization_id
  left join ${table("team")} as team on team.id = member.team_id
  where member.user_id = ${userId}
  order by member.created_at, member.id`;

interface InvitationRow {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  role: string;
  status: string;
  createdAt: Date;
  expiresAt: Date;
}

const selectInvitations = (whose: ReturnType<typeof sql>) => sql<InvitationRow>`
  select invitation.id, organization.id as organization_id, organization.name as organization_name,
    invitation.email, invitation.role, invitation.status, invitation.created_at, invitation.expires_at
  from ${table("invitation")} as invitation
  join ${table("organization")} as organization on organization.id = invitation.organization_id
  where ${whose}
  order by invitation.created_at, invitation.id`;

/** Selects invitations to a lower-case address, oldest first. */
export const selectInvitationsTo = (email: string) =>
  selectInvitations(sql`invitation.email = ${email}`);

/** Selects invitations by a user, oldest first. */
export const selectInvitationsBy = (userId: string) =>
  selectInvitations(sql`invitation.inviter_id = ${userId}`);
