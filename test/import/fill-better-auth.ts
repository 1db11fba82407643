import type pg from "pg";

/** One row of each kind per this many users. */
const perUsers = { organizations: 100, keys: 10 };

const statements = (users: number, password: string): string[] => [
  `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username, "displayUsername", role)
  select 'user-' || i, 'Person Number ' || i, 'person' || i || '@example.com', i % 3 = 0, now() - i * interval '1 second',
    now() - i * interval '1 second', 'person' || i, 'Person' || i, 'user'
  from generate_series(1, ${users}) as i`,
  `insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  select 'account-' || i, 'user-' || i, 'credential', 'user-' || i, '${password}', now(), now()
  from generate_series(1, ${users}) as i`,
  `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent")
  select 'session-' || i, md5('token' || i), 'user-' || i, now() + interval '7 days', now(), now(), '192.0.2.1', 'Mozilla/5.0'
  from generate_series(1, ${users}) as i`,
  `insert into organization (id, name, slug, "createdAt")
  select 'organization-' || i, 'Organization ' || i, 'organization-' || i, now()
  from generate_series(1, ${Math.ceil(users / perUsers.organizations)}) as i`,
  `insert into member (id, "organizationId", "userId", role, "createdAt")
  select 'member-' || i, 'organization-' || (1 + i / ${perUsers.organizations + 1}), 'user-' || i,
    case when i % ${perUsers.organizations} = 0 then 'owner' else 'member' end, now()
  from generate_series(1, ${users}) as i`,
];

const insertKeys = (owner: string, users: number): string => `
  insert into apikey (id, key, "${owner}", enabled, "rateLimitEnabled", remaining, "requestCount", "createdAt", "updatedAt"
    ${owner === "referenceId" ? ', "configId"' : ""})
  select 'key-' || i, translate(encode(sha256(('key' || i)::bytea), 'base64'), '+/=', '-_'), 'user-' || i, true, false,
    100, 0, now(), now() ${owner === "referenceId" ? ", 'default'" : ""}
  from generate_series(1, ${Math.ceil(users / perUsers.keys)}) as i`;

/** Fills a database of better-auth with users that have a password, a session and a membership. Some have a key. */
export const fillBetterAuth = async (
  pool: pg.Pool,
  { users, password }: { users: number; password: string },
): Promise<void> => {
  for (const statement of statements(users, password)) await pool.query(statement);
  const { rowCount } = await pool.query(
    "select from information_schema.columns where table_name = 'apikey' and column_name = 'referenceId'",
  );
  await pool.query(insertKeys(rowCount ? "referenceId" : "userId", users));
  await pool.query("analyze");
};
