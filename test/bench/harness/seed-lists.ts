import { Client } from "pg";
import { fillTables } from "./fill-tables.ts";
import type { KeptStores } from "./kept-stores.ts";
import { seedSharedKeys } from "./seed-keys.ts";
import { tokenOf } from "./seed.ts";

/** A row of each admin list. All are at the same position of their lists. */
export interface Listed {
  keyId: string;
  keyStart: string;
  keyAt: Date;
  userId: string;
  deliveryId: string;
  recipient: string;
  deliveryAt: Date;
  auditId: string;
  actorId: string;
  subjectId: string;
  action: string;
  auditAt: Date;
}

/** A tenth as many users as keys. One of them is staff. */
const seedUsers = `
insert into identity."user" (id, name, email, email_verified, created_at, updated_at, role)
select md5('user' || n), 'User ' || n, 'user' || n || '@example.com', true, now(), now(),
  case when n = 0 then 'admin' else 'user' end
from generate_series(0, $1::int / 10) n`;

const seedStaff = `
insert into identity.session (id, token_hash, token_sealed, user_id, expires_at, created_at, updated_at,
  ip_address, user_agent)
values ('staff', sha256($1::bytea), '', md5('user0'), now() + interval '7 days', now(), now(), '127.0.0.1', 'bench')`;

/** Half of the addresses are at one provider. Twenty users share a surname and a hundred mails are captured, at any size. */
const seedDeliveries = `
insert into mailer.delivery (id, event_id, event, recipient, subject, content_sealed, state, attempts, created_at, settled_at)
select md5('delivery' || n), 'event' || n, 'password-reset.requested',
  translate(substr(md5('last' || abs(hashint4(n)) % greatest($1::int / 20, 1)), 1, 7), '0123456789abcdef', 'aeiourstlnmkdbgv')
    || n || '@' || case when n % 2 = 0 then 'mail.example' else 'firm' || n % 200 || '.example' end,
  'Reset your password', '', case when n % 100 = 3 then 'failed' when n % ($1::int / 100) = 5 then 'captured' else 'sent' end, 1,
  at, at
from generate_series(1, $1::int) n, lateral (select now() - ($1::int - n) * interval '1 second' as at) as moment`;

/** Ten entries about each user, a hundred by each of some actors. One in fifty was refused. */
const seedAudit = `
insert into identity.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
select now() - ($1::int - n) * interval '1 second', 'user', md5('user' || abs(hashint4(n)) % greatest($1::int / 100, 1)),
  'user', md5('user' || n / 10), (array['user.updated', 'user.banned', 'session.created', 'session.revoked', 'user.role-set',
    'account.linked', 'account.unlinked', 'password.set'])[1 + n % 8],
  case when n % 50 = 7 then 'refused' else 'success' end, '127.0.0.1', md5('request' || n)
from generate_series(1, $1::int) n`;

/** Marks all entries as sealed. */
const seedSeals = `
insert into identity.audit_seal (position, audit_id, hash)
select id, id, sha256(id::text::bytea) from identity.audit`;

/** Marks the events of all entries as recorded. Otherwise services would record them while the lists are measured. */
const seedFeed = `
insert into identity.event_feed (id, position) select 1, max(position) from identity.audit_seal
on conflict (id) do update set position = excluded.position`;

const selectSome = `
select key.id as "keyId", key.start as "keyStart", key.created_at as "keyAt", key.user_id as "userId",
  delivery.id as "deliveryId", delivery.recipient, delivery.created_at as "deliveryAt",
  audit.id::text as "auditId", audit.actor_id as "actorId", audit.subject_id as "subjectId", audit.action,
  audit.occurred_at as "auditAt"
from (select 1 + abs(hashint4(n)) % $1::int as n from generate_series(1, 500) n) as numbers
join apikey.api_key as key on key.id = md5('key' || n)
join mailer.delivery on delivery.id = md5('delivery' || n)
join identity.audit on audit.id = n`;

const tables = ["mailer.delivery", "identity.audit", "identity.audit_seal"];

/** Creates `count` keys, mails and audit rows, and staff with the session of the first token. Returns a sample. */
export const seedLists = async (stores: KeptStores, count: number): Promise<Listed[]> => {
  await seedSharedKeys(stores, count);
  const client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
  try {
    await client.query(seedUsers, [count]);
    await client.query(seedStaff, [tokenOf(1)]);
    await fillTables(client, tables, async () => {
      await client.query(seedDeliveries, [count]);
      await client.query(seedAudit, [count]);
      await client.query(seedSeals);
      await client.query(seedFeed);
    });
    await client.query("vacuum analyze");
    return (await client.query<Listed>(selectSome, [count])).rows;
  } finally {
    await client.end();
  }
};
