import { Client } from "pg";
import { fillTables } from "./fill-tables.ts";
import type { KeptStores } from "./kept-stores.ts";
import { tokenOf } from "./seed.ts";

/** A seeded user. */
export interface Person {
  id: string;
  name: string;
  email: string;
  /** As formatted by the database. */
  createdAt: string;
}

const firstNames =
  "Anna James Olivia Noah Emma Lucas Elena David Sarah Felix Nora Ivan Yuki Fatima Omar Priya Chen Lars Zofia Mateo";

/**
 * Names vary as much as real names, in random order. One user in twenty has the same first name; twenty share a surname and
 * twenty are admins, at any size. Half have an address at one provider, and one in two hundred at the same company.
 */
const insertUsers = `
insert into identity."user" (id, name, email, email_verified, created_at, updated_at, role, banned)
select md5('id' || n), first || ' ' || initcap(last),
  lower(first) || '.' || last || n || '@' || case when n % 2 = 0 then 'mail.example' else 'firm' || n % 200 || '.example' end,
  hashint4(n) % 5 <> 0, now() - ($1::int - n) * interval '1 second', now() - abs(hashint4(-n)) * interval '1 millisecond',
  case when n % ($1::int / 20) = 1 then 'admin' when n % 50 = 3 then 'user,support' else 'user' end, n % 100 = 7
from (
  select n, (string_to_array($2, ' '))[1 + abs(hashint4(n + 1)) % 20] as first,
    translate(substr(md5('last' || abs(hashint4(n + 2)) % ($1::int / 20)), 1, 7), '0123456789abcdef', 'aeiourstlnmkdbgv') as last
  from generate_series(1, $1::int) as n
) as people`;

const seedStaff = `
insert into identity.session (id, token_hash, token_sealed, user_id, expires_at, created_at, updated_at,
  ip_address, user_agent)
select 'staff', sha256($1::bytea), '', id, now() + interval '7 days', now(), now(), '127.0.0.1', 'bench'
from identity."user" where role = 'admin' order by id limit 1`;

const selectSome = `
select id, name, email, created_at::text as "createdAt" from identity."user" order by md5(id) limit 500`;

/** Creates `count` users, one of whom is staff and has the session of the first token. Returns a sample. */
export const seedUsers = ({ databaseUrl, once }: KeptStores, count: number): Promise<Person[]> =>
  once("people", async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await fillTables(client, [`identity."user"`], async () => {
        await client.query(insertUsers, [count, firstNames]);
      });
      await client.query(seedStaff, [tokenOf(1)]);
      await client.query("vacuum analyze");
      return (await client.query<Person>(selectSome)).rows;
    } finally {
      await client.end();
    }
  });
