import { createRedisKeys, initialOf } from "@latchkey/service-kit/database";
import { createSecretRing, hashToken, seal } from "@latchkey/crypto";
import { Client } from "pg";
import { sessionColumns, userColumns } from "../../../services/identity/src/db/tables.ts";
import { sessionTokenPurpose } from "../../../services/identity/src/sessions/session-rules.ts";
import { createRedisSessionStore } from "../../../services/identity/src/sessions/store/redis-session-store.ts";
import type { Stores } from "./open-stores.ts";
import { seededId, seededIdSql, seededName, seededNameSql } from "./seeded-id.ts";
import { benchSecret } from "./stack-settings.ts";

export const seededCount = 10_000;

export const tokenLength = 32;

/** Returns the token of the seeded session number `index`, counted from 1. */
export const tokenOf = (index: number): string => `bench${index}`.padEnd(tokenLength, "x");

const ring = createSecretRing([benchSecret]);

const sealedTokenOf = (index: number): string => seal(ring, sessionTokenPurpose, tokenOf(index));

const numbers = Array.from({ length: seededCount }, (_, index) => index + 1);

export const emailOf = (index: number): string => `user${index}@example.com`;

const userId = seededIdSql("user", "n");

const seedUsers = `
insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
select ${userId}, ${seededNameSql("n")}, 'user' || n || '@example.com', true, now(), now()
from generate_series(1, $1::int) n`;

const seedAccounts = `
insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
select ${seededIdSql("account", "n")}, ${userId}, 'credential', ${userId}, $2, now(), now()
from generate_series(1, $1::int) n`;

const seedSessions = `
insert into identity.session (id, token_hash, token_sealed, user_id, expires_at, created_at, updated_at,
  ip_address, user_agent)
select ${seededIdSql("session", "n")}, sha256(token::bytea), sealed, ${userId}, now() + interval '7 days', now(), now(), '127.0.0.1', 'bench'
from unnest($1::text[], $2::text[]) with ordinality as tokens (token, sealed, n)`;

/** Creates users with a session each in Postgres. With a password hash, each also gets a password account. */
export const seedPostgres = async (databaseUrl: string, passwordHash?: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(seedUsers, [seededCount]);
    await client.query(seedSessions, [numbers.map(tokenOf), numbers.map(sealedTokenOf)]);
    if (passwordHash) await client.query(seedAccounts, [seededCount, passwordHash]);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
};

const weekMilliseconds = 7 * 86_400_000;

const sessionNumber = (index: number, now: Date) => ({
  ...initialOf(sessionColumns),
  id: seededId("session", index),
  tokenHash: hashToken(tokenOf(index)),
  tokenSealed: sealedTokenOf(index),
  userId: seededId("user", index),
  expiresAt: new Date(now.getTime() + weekMilliseconds),
  createdAt: now,
  updatedAt: now,
  ipAddress: "127.0.0.1",
  userAgent: "bench",
});

const userNumber = (index: number, now: Date) => ({
  ...initialOf(userColumns),
  id: seededId("user", index),
  name: seededName(index),
  email: emailOf(index),
  emailVerified: true,
  createdAt: now,
  updatedAt: now,
  role: "user",
  revision: 1,
});

const noAudit = {
  actor: { kind: "user", id: "bench" },
  subject: { kind: "session", id: "bench" },
  action: "session.created",
} as const;

/** Creates the same sessions in Redis, written by the session store, and as plain values for the floor's GET. */
export const seedRedis = async (
  { redis }: Stores,
  activeOrganizationIdOf: (index: number) => string | null = () => null,
): Promise<void> => {
  const { client, keyPrefix } = redis;
  const now = new Date();
  const store = createRedisSessionStore({
    redis: client,
    keyOf: createRedisKeys(keyPrefix.slice(0, -1)),
    clock: Date.now,
    recordAudit: async () => {},
    recordEnd: async () => {},
    recordImported: async () => {},
  });
  const seedOne = async (index: number) => {
    const activeOrganizationId = activeOrganizationIdOf(index);
    const session = { ...sessionNumber(index, now), activeOrganizationId };
    const user = userNumber(index, now);
    await store.insert(session, user, noAudit);
    const { tokenHash, tokenSealed: _sealed, ...shown } = session;
    const json = JSON.stringify({ session: { ...shown, token: tokenOf(index) }, user });
    await client.set(`${keyPrefix}floor:${tokenHash.toString("hex")}`, json);
  };
  await Promise.all(numbers.map(seedOne));
};
