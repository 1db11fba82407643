import { Client } from "pg";
import { fillTables } from "./fill-tables.ts";
import type { KeptStores } from "./kept-stores.ts";
import { seedUsers } from "./seed-users.ts";

/** A member of the only organization. */
export interface SeededMember {
  organizationId: string;
  id: string;
  userId: string;
  email: string;
  createdAt: Date;
}

const organizationId = "crowd";

const seedOrganization = `
insert into organization.organization (id, name, slug, logo, metadata, created_at)
values ($1, 'Crowd Ltd.', 'crowd', null, null, now())`;

/** One member in fifty has another role too, and twenty are owners at any size. */
const seedRows = `
insert into organization.member (id, organization_id, user_id, role, team_id, created_at)
select md5('member' || id), $1, id,
  case when n % (count / 20) = 1 then 'owner' when n % 50 = 3 then 'member,admin' else 'member' end, null, created_at
from (select id, created_at, row_number() over (order by created_at, id) as n, count(*) over () as count from identity."user") as people`;

const selectSome = `
select member.organization_id as "organizationId", member.id, member.user_id as "userId", people.email, member.created_at as "createdAt"
from organization.member join identity."user" as people on people.id = member.user_id
where people.id = any($1::text[])`;

/** Creates `count` users, all members of one organization, and one of them staff. Returns a sample. */
export const seedMembers = async (stores: KeptStores, count: number): Promise<SeededMember[]> => {
  const people = await seedUsers(stores, count);
  const client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
  try {
    await client.query(seedOrganization, [organizationId]);
    await fillTables(client, ["organization.member"], async () => {
      await client.query(seedRows, [organizationId]);
    });
    await client.query("vacuum analyze organization.member");
    const ids = people.map(({ id }) => id);
    return (await client.query<SeededMember>(selectSome, [ids])).rows;
  } finally {
    await client.end();
  }
};
