import { createHashPool, hashPassword } from "@latchkey/crypto";
import { Client } from "pg";
import type { Stores } from "./open-stores.ts";
import { benchPassword, type UserRange } from "./requests.ts";
import { keyLength } from "./seed-keys.ts";
import { seededCount, seedPostgres, seedRedis } from "./seed.ts";
import { seededId, seededIdSql as id } from "./seeded-id.ts";

/** Members of each organization that has more than one. */
const teamSize = 10;

/** The first half of the users work in an organization of their own. */
export const usersAlone: UserRange = { from: 1, to: seededCount / 2 };

/** The second half also work in an organization of ten. */
export const usersInTeams: UserRange = { from: seededCount / 2 + 1, to: seededCount };

/** Of these, all but the owners have a role that their organization has made itself. */
export const usersWithOwnRole: UserRange = { from: (seededCount * 3) / 4 + 1, to: seededCount };
const ownRole = "inviter";

/** Each user has this many invitations, to different organizations. */
const invitationsEach = 4;
const hostsEach = 250;

/** Pending invitations, each to the address of a user. */
export const invitationCount = seededCount * invitationsEach;

/** Returns the id of an invitation to the user with the number `1 + index % seededCount`. */
export const invitationIdOf = (index: number): string => seededId("invitation", index);

/** Each user has three API keys, whose limits are counted and never reached. */
export const keyCount = 3 * seededCount;

const organizationIdOf = (index: number): string =>
  index < usersInTeams.from
    ? seededId("alone", index)
    : seededId("team", Math.floor((index - usersInTeams.from) / teamSize));

const inviterId = seededId("inviter", 0);

const statements = [
  `insert into organization.organization (id, name, slug, logo, metadata, created_at)
  select ${id("alone", "n")}, 'Alone ' || n, 'alone-' || n, null, null, now() from generate_series(1, ${seededCount}) n`,
  `insert into organization.organization (id, name, slug, logo, metadata, created_at)
  select ${id("team", "n")}, 'Team ' || n, 'team-' || n, null, null, now()
  from generate_series(0, ${seededCount / 2 / teamSize - 1}) n`,
  `insert into organization.organization (id, name, slug, logo, metadata, created_at)
  select ${id("host", "n")}, 'Host ' || n, 'host-' || n, null, null, now()
  from generate_series(0, ${invitationsEach * hostsEach - 1}) n`,
  `insert into organization.member (id, organization_id, user_id, role, team_id, created_at)
  select ${id("alone", "n")}, ${id("alone", "n")}, ${id("user", "n")}, 'owner', null, now() from generate_series(1, ${seededCount}) n`,
  `insert into organization.member (id, organization_id, user_id, role, team_id, created_at)
  select ${id("team", "n")}, ${id("team", `(n - ${usersInTeams.from}) / ${teamSize}`)}, ${id("user", "n")},
    case when n % ${teamSize} = 1 then 'owner' when n < ${usersWithOwnRole.from} then 'member' else '${ownRole}' end, null, now() + n * interval '1 microsecond'
  from generate_series(${usersInTeams.from}, ${usersInTeams.to}) n`,
  `insert into organization.organization_role (id, organization_id, role, permission, created_at)
  select ${id("role", "n")}, ${id("team", "n")}, '${ownRole}', '{"invitation":["create"]}', now()
  from generate_series(${(usersWithOwnRole.from - usersInTeams.from) / teamSize}, ${seededCount / 2 / teamSize - 1}) n`,
  `insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
  values ('${inviterId}', 'Inviter of many', 'inviter@example.com', true, now(), now())`,
  `insert into organization.member (id, organization_id, user_id, role, team_id, created_at)
  select ${id("host", "n")}, ${id("host", "n")}, '${inviterId}', 'owner', null, now()
  from generate_series(0, ${invitationsEach * hostsEach - 1}) n`,
  `insert into organization.invitation (id, organization_id, email, role, team_id, status, expires_at, inviter_id, created_at, mailed_at)
  select ${id("invitation", "n")}, ${id("host", `n / ${seededCount} * ${hostsEach} + n % ${hostsEach}`)}, 'user' || 1 + n % ${seededCount} || '@example.com',
    'member', null, 'pending', now() + interval '1 day', '${inviterId}', now(), now()
  from generate_series(0, ${invitationCount - 1}) n`,
  `insert into organization.invitation (id, organization_id, email, role, team_id, status, expires_at, inviter_id, created_at, mailed_at)
  select ${id("guest", "n")}, ${id("team", "n / 2")}, 'guest' || n || '@example.com', 'member', null, 'pending', now() + interval '1 day',
    ${id("user", `${usersInTeams.from} + n / 2 * ${teamSize}`)}, now(), now()
  from generate_series(0, ${seededCount / teamSize - 1}) n`,
  `insert into apikey.api_key (id, name, start, key, user_id, enabled, rate_limit_enabled, rate_limit_time_window, rate_limit_max, remaining,
    created_at, updated_at)
  select ${id("key", "n")}, 'Key ' || n, 'key' || n % 10, rtrim(translate(encode(sha256(text::bytea), 'base64'), '+/', '-_'), '='),
    ${id("user", `1 + n % ${seededCount}`)}, true, true, 86400000, 2000000000, 2000000000, now(), now()
  from generate_series(1, ${keyCount}) n, rpad('key' || n, ${keyLength}, 'x') as text`,
  `update identity.session set active_organization_id = case when n < ${usersInTeams.from}
    then ${id("alone", "n")} else ${id("team", `(n - ${usersInTeams.from}) / ${teamSize}`)} end
  from generate_series(1, ${seededCount}) n where user_id = ${id("user", "n")}`,
  "vacuum analyze",
];

/**
 * Creates users with a session and an account each, who work in organizations, have three API keys each, and invitations to other
 * organizations.
 */
export const seedWorkspaces = async (
  where: "postgres" | "redis",
  stores: Stores,
): Promise<void> => {
  const pool = createHashPool({ concurrency: 1, queueMax: 0 });
  await seedPostgres(stores.databaseUrl, await hashPassword(pool, benchPassword));
  const client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
  if (where === "redis") await seedRedis(stores, organizationIdOf);
};
