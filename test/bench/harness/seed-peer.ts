import { hashPassword } from "better-auth/crypto";
import { Redis } from "ioredis";
import { Client } from "pg";
import { benchPassword } from "./requests.ts";
import { tokenLength } from "./seed.ts";
import { seededNumberSql } from "./seeded-id.ts";

/** Stores of better-auth: its own tables and keys beside ours. */
export interface PeerInput {
  databaseUrl: string;
  poolMax: number;
  /** Without it, sessions are in Postgres. */
  redis?: { url: string; keyPrefix: string };
}

const copies = [
  `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
  select id, name, email, email_verified, created_at, updated_at from identity."user"`,
  `insert into organization (id, name, slug, "createdAt")
  select id, name, slug, created_at from organization.organization`,
  `insert into member (id, "organizationId", "userId", role, "createdAt")
  select id, organization_id, user_id, role, created_at from organization.member`,
  `insert into invitation (id, "organizationId", email, role, status, "expiresAt", "createdAt", "inviterId")
  select id, organization_id, email, role, status, expires_at, created_at, inviter_id from organization.invitation`,
  `insert into apikey (id, "configId", name, start, key, "referenceId", enabled, "rateLimitEnabled", "rateLimitTimeWindow", "rateLimitMax",
    "requestCount", remaining, "createdAt", "updatedAt")
  select id, 'default', name, start, key, user_id, enabled, rate_limit_enabled, rate_limit_time_window, rate_limit_max, 0, remaining,
    created_at, updated_at from apikey.api_key`,
];

const copyAccounts = `
insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
select id, account_id, provider_id, user_id, $1, created_at, updated_at from identity.account`;

const selectSessions = `
select session.id, rpad('bench' || ${seededNumberSql("user", "user_id")}, ${tokenLength}, 'x') as token, user_id as "userId", expires_at as "expiresAt",
  session.created_at as "createdAt", session.updated_at as "updatedAt", ip_address as "ipAddress", user_agent as "userAgent",
  active_organization_id as "activeOrganizationId"
from identity.session`;

const copySessions = `
insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent", "activeOrganizationId")
${selectSessions}`;

const selectEntries = `
select row_to_json(session) as session, row_to_json(owner) as user
from (${selectSessions}) as session join "user" as owner on owner.id = session."userId"`;

interface Entry {
  session: { token: string; userId: string; expiresAt: string };
  user: object;
}

/** Writes the values that better-auth writes when it creates a session. */
const writeEntries = async (
  client: Client,
  { url, keyPrefix }: NonNullable<PeerInput["redis"]>,
): Promise<void> => {
  const { rows } = await client.query<Entry>(selectEntries);
  const redis = new Redis(url, { keyPrefix });
  try {
    const writes = rows.flatMap((entry) => {
      const { token, userId, expiresAt } = entry.session;
      const at = Math.floor(Date.parse(expiresAt) / 1000);
      const list = JSON.stringify([{ token, expiresAt: Date.parse(expiresAt) }]);
      return [
        redis.set(token, JSON.stringify(entry), "EXAT", at),
        redis.set(`active-sessions-${userId}`, list, "EXAT", at),
      ];
    });
    await Promise.all(writes);
  } finally {
    redis.disconnect();
  }
};

/** Copies the seeded rows into the tables that better-auth has created, and the sessions into Redis if it stores them there. */
export const seedPeer = async ({ databaseUrl, redis }: PeerInput): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of copies) await client.query(statement);
    await client.query(copyAccounts, [await hashPassword(benchPassword)]);
    if (redis) await writeEntries(client, redis);
    else await client.query(copySessions);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
};
