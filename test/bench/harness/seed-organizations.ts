import { Client } from "pg";
import { fillTables } from "./fill-tables.ts";
import type { KeptStores } from "./kept-stores.ts";
import { tokenOf } from "./seed.ts";

/** A seeded user who is signed in and an admin, and the organization that the session works in. */
export interface Asker {
  token: string;
  organizationId: string;
  slug: string;
  /** Creation time of the organization. */
  createdAt: Date;
}

const membersEach = 10;
const membershipsEach = 4;
const askers = 500;

/** Names vary as much as real names. */
const seedOrganizations = `
insert into organization.organization (id, name, slug, logo, metadata, created_at)
select md5('organization' || n), initcap(word) || ' Ltd.', word || '-' || n, null, '{"plan":"free"}',
  now() - ($1::int - n) * interval '1 second'
from generate_series(0, $1::int - 1) n,
  translate(substr(md5('name' || n), 1, 9), '0123456789abcdef', 'aeiourstlnmkdbgv') as word`;

const seedUsers = `
insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
select md5('user' || n), 'User ' || n, 'user' || n || '@example.com', true, now(), now()
from generate_series(0, $1::int - 1) n`;

/**
 * The first members of all organizations are inserted, then the second and so on, so that rows of one organization are not
 * adjacent.
 */
const seedMembers = `
insert into organization.member (id, organization_id, user_id, role, team_id, created_at)
select md5('member' || n), md5('organization' || n % $1::int), md5('user' || (n + n / $1::int) % $2::int),
  case when n < $1::int then 'owner' else 'member' end, null, now() - ($3::int - n) * interval '1 second'
from generate_series(0, $3::int - 1) n`;

const seedInvitations = `
insert into organization.invitation (id, organization_id, email, role, team_id, status, expires_at, inviter_id, created_at, mailed_at)
select md5('invitation' || n), md5('organization' || n % $1::int), 'guest' || n || '@example.com', 'member', null,
  case when n < $1::int then 'accepted' else 'pending' end, now() + interval '1 day', md5('user' || n % $2::int), now(), now()
from generate_series(0, 2 * $1::int - 1) n`;

const seedSessions = `
insert into identity.session (id, token_hash, token_sealed, user_id, expires_at, created_at, updated_at,
  ip_address, user_agent, active_organization_id)
select md5('session' || n), sha256(tokens.token::bytea), '', member.user_id, now() + interval '7 days', now(), now(),
  '127.0.0.1', 'bench', member.organization_id
from unnest($1::text[]) with ordinality as tokens (token, n)
join lateral (select user_id, organization_id from organization.member
  where id = md5('member' || (n * 7919) % $2::int)) as member on true
returning active_organization_id as "organizationId",
  (select slug from organization.organization where id = active_organization_id) as slug,
  (select created_at from organization.organization where id = active_organization_id) as "createdAt"`;

const makeAdmins = `
update identity."user" set role = 'admin' where id in (select user_id from identity.session)`;

const tables = [
  `identity."user"`,
  "organization.organization",
  "organization.member",
  "organization.invitation",
];

const countOf = (organizations: number) => {
  const members = organizations * membersEach;
  return { members, users: members / membershipsEach };
};

/** Creates `count` organizations of ten members. Each user belongs to four. Returns a sample of signed-in members. */
export const seedOrganizationsOfTen = async (
  { databaseUrl }: KeptStores,
  organizations: number,
): Promise<Asker[]> => {
  const { members, users } = countOf(organizations);
  const tokens = Array.from({ length: askers }, (_, index) => tokenOf(index + 1));
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await fillTables(client, tables, async () => {
      await client.query(seedOrganizations, [organizations]);
      await client.query(seedUsers, [users]);
      await client.query(seedMembers, [organizations, users, members]);
      await client.query(seedInvitations, [organizations, users]);
    });
    const { rows } = await client.query<Omit<Asker, "token">>(seedSessions, [tokens, members]);
    await client.query(makeAdmins);
    await client.query("vacuum analyze");
    // One row for each token, in the same order.
    return rows.map(({ organizationId, slug, createdAt }, index) => ({
      token: tokens[index] as string,
      organizationId,
      slug,
      createdAt,
    }));
  } finally {
    await client.end();
  }
};
