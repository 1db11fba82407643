import { sql } from "kysely";
import { schema } from "../db/tables.ts";

const table = (name: string) => sql.id(schema, name);

interface MembershipRow {
  id: string;
  name: string;
  slug: string;
  role: string;
  teams: { id: string; name: string }[];
  extra: Record<string, unknown>;
  createdAt: Date;
}

/** Selects a user's organizations, oldest membership first. */
export const selectMemberships = (userId: string) => sql<MembershipRow>`
  select organization.id, organization.name, organization.slug, member.role,
    member.extra, member.created_at, (
      select coalesce(
        json_agg(json_build_object('id', team.id, 'name', team.name) order by joined.created_at, joined.id),
        '[]'
      )
      from ${table("team_member")} as joined join ${table("team")} as team on team.id = joined.team_id
      where joined.member_id = member.id
    ) as teams
  from ${table("member")} as member
  join ${table("organization")} as organization on organization.id = member.organization_id
  where member.user_id = ${userId}
  order by member.created_at, member.id`;

interface InvitationRow {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  role: string;
  status: string;
  extra: Record<string, unknown>;
  createdAt: Date;
  expiresAt: Date;
}

const selectInvitations = (whose: ReturnType<typeof sql>) => sql<InvitationRow>`
  select invitation.id, organization.id as organization_id, organization.name as organization_name,
    invitation.email, invitation.role, invitation.status, invitation.extra, invitation.created_at, invitation.expires_at
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
