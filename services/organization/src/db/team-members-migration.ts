import type { SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./tables.ts";

const member = sql.id(schema, "member");
const teamMember = sql.id(schema, "team_member");

const createTable = async (db: Kysely<any>) => {
  await db.schema
    .createTable("team_member")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", (column) =>
      column.notNull().references("team.id").onDelete("cascade"),
    )
    .addColumn("member_id", "text", (column) =>
      column.notNull().references("member.id").onDelete("cascade"),
    )
    .addColumn("created_at", sql`timestamptz(3)`, (column) => column.notNull())
    .addUniqueConstraint("team_member_once", ["team_id", "member_id"])
    .execute();
  await db.schema
    .createIndex("team_member_by_member")
    .on("team_member")
    .columns(["member_id", "created_at", "id"])
    .execute();
};

/**
 * Keeps `member.team_id`, which clients of 1.2 read, the first team of the member. One statement per change, because the deletion of a team
 * may concern thousands of members.
 */
const deriveFirstTeam = async (db: Kysely<any>) => {
  await sql`
    create function ${sql.id(schema, "derive_first_team")}() returns trigger language plpgsql as $$
    begin
      update ${member} as held set team_id = first.team_id
      from (
        select changed.member_id, (
          select joined.team_id from ${teamMember} as joined
          where joined.member_id = changed.member_id
          order by joined.created_at, joined.id limit 1
        ) as team_id
        from (select distinct member_id from changed_rows) as changed
      ) as first
      where held.id = first.member_id and held.team_id is distinct from first.team_id;
      return null;
    end $$`.execute(db);
  for (const [event, rows] of [
    ["insert", "new"],
    ["delete", "old"],
  ] as const)
    await sql`
      create trigger ${sql.id(`first_team_after_${event}`)} after ${sql.raw(event)} on ${teamMember}
      referencing ${sql.raw(rows)} table as changed_rows
      for each statement execute function ${sql.id(schema, "derive_first_team")}()`.execute(db);
};

/**
 * Follows writers that know one team per member: the previous release during an upgrade and after a roll-back, and applications that write
 * by a view. The depth excludes the writes of the trigger above and of foreign keys.
 */
const followSingleTeam = async (db: Kysely<any>) => {
  await sql`
    create function ${sql.id(schema, "follow_single_team")}() returns trigger language plpgsql as $$
    declare
      former text := case when tg_op = 'UPDATE' then old.team_id end;
    begin
      if former is distinct from new.team_id then
        delete from ${teamMember} where member_id = new.id and team_id = former;
        if new.team_id is not null then
          insert into ${teamMember} (id, team_id, member_id, created_at)
          values (md5(new.team_id || ' ' || new.id), new.team_id, new.id, new.created_at)
          on conflict do nothing;
        end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger single_team after insert or update of team_id on ${member}
    for each row when (pg_trigger_depth() = 0)
    execute function ${sql.id(schema, "follow_single_team")}()`.execute(db);
};

/** Adds the teams of members, of which a member may have several (ADR 117). */
export const teamMembersMigration: SchemaMigration = {
  unsafe:
    "the trigger on member only adds and removes rows of team_member, so each write of the previous version still succeeds. Nothing is read or rewritten while it is added",
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await createTable(db);
    await deriveFirstTeam(db);
    await followSingleTeam(db);
  },
};

/**
 * Lets imports recognize members that they wrote: the hash of an imported row no longer covers its team, which follows from `team_member`.
 * Rows that were changed here since keep their hash, which fits neither form.
 */
const rehashImportedMembers = async (db: Kysely<any>) => {
  await sql`select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true)`.execute(
    db,
  );
  const hash = (columns: string) => sql.raw(`md5(row(${columns})::text)::uuid`);
  const former = hash("t.id, t.organization_id, t.user_id, t.role, t.team_id, t.created_at");
  await sql`
    update ${sql.id(schema, "taken")} as known
    set kept = ${hash("t.id, t.organization_id, t.user_id, t.role, t.created_at")}
    from ${member} as t
    where known.model = 'member' and known.key = t.id and known.kept = ${former}`.execute(db);
};

/** Adds the teams of members from before. The triggers are there already, so no team that is joined meanwhile is missed. */
export const formerTeamsMigration: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await sql`
      insert into ${teamMember} (id, team_id, member_id, created_at)
      select md5(team_id || ' ' || id), team_id, id, created_at from ${member}
      where team_id is not null
      on conflict do nothing`.execute(db);
    await rehashImportedMembers(db);
  },
};
