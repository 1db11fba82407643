import {
  addOutboxTraces,
  buildIndex,
  createAuditSeals,
  indexAuditOrigins,
  indexFolded,
  inFirstRelease,
  type SchemaMigration,
  type SchemaMigrations,
  startEventFeed,
  trigramOperators,
} from "@latchkey/service-kit/database";
import { createImportedRowTable } from "@latchkey/service-kit/import";
import { createMergeTable } from "@latchkey/service-kit/merges";
import { createPictureTable } from "@latchkey/service-kit/pictures";
import { type Kysely, sql } from "kysely";
import { firstTablesMigration } from "./first-tables-migration.ts";
import { schema } from "./tables.ts";
import { formerTeamsMigration, teamMembersMigration } from "./team-members-migration.ts";

const organization = sql.id(schema, "organization");

/**
 * Keeps lists of organizations fast for a hundred thousand rows. Text is indexed by code point and by its lower-case beginning. Such an
 * index serves prefixes and does not depend on the machine's locale. Its entries stay below the size limit.
 */
const indexOrganizations = async (db: Kysely<any>): Promise<void> => {
  const operators = await trigramOperators(db);
  await sql`create index organization_by_created_at on ${organization} (created_at, id)`.execute(
    db,
  );
  for (const column of ["name", "slug"]) {
    const text = sql`lower(${sql.id(column)})`;
    await sql`
      create index ${sql.id(`organization_by_${column}`)} on ${organization}
      ((left(${text}, 100) collate "C"), id)`.execute(db);
    await sql`
      create index ${sql.id(`organization_${column}_trigrams`)} on ${organization}
      using gin ((${text}) collate "C" ${operators}) with (gin_pending_list_limit = 64)`.execute(
      db,
    );
  }
};

/** Adds the indexes for searching, sorting and paging through lists. */
const organizationListsMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    // Times have millisecond precision, as clients see them, so that a cursor identifies the exact position of a row.
    for (const table of ["organization", "member"])
      await sql`
        alter table ${sql.id(schema, table)} alter column created_at type timestamptz(3)`.execute(
        db,
      );
    await indexOrganizations(db);
  },
};

/** Adds the index for listing the members with a role, however few they are among very many. */
const memberRolesMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await sql`
      create index member_by_role on ${sql.id(schema, "member")}
      (organization_id, role, created_at, id)`.execute(db);
  },
};

/** Adds bans of inviters and the user who opened an invitation by its mail. Both decide whether an invitation is void. */
const voidInvitationsMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("invitation").addColumn("opened_by", "text").execute();
    await db.schema
      .createTable("banned_user")
      .addColumn("user_id", "text", (column) => column.primaryKey())
      .addColumn("revision", "bigint", (column) => column.notNull())
      .addColumn("banned", "boolean", (column) => column.notNull())
      .addColumn("banned_until", "timestamptz")
      .execute();
  },
};

/** Adds indexes that find all invitations by and to a deleted user, whatever their status. */
const invitationUsersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    for (const column of ["email", "inviter_id"])
      await buildIndex(db, {
        schema,
        name: `invitation_by_${column}`,
        table: "invitation",
        definition: `(${column})`,
      });
  },
};

/** Adds the time from which an organization requires a second factor of its members. */
const secondFactorMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("organization")
      .addColumn("second_factor_from", "timestamptz")
      .execute();
  },
};

/** Adds the index by which the previous version lists the members of a team. */
const membersInTeamMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "member_in_team",
      table: "member",
      definition: "(organization_id, team_id, created_at, id) where team_id is not null",
    }),
};

/** Lets searches find organizations by their names without accents. The previous version still uses the index of names with accents. */
const foldedNamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) => indexFolded(db, { schema, table: "organization", column: "name" }),
};

/** Adds the roles that organizations make themselves. */
const organizationRolesMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("organization_role")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("organization_id", "text", (column) =>
        column.notNull().references("organization.id").onDelete("cascade"),
      )
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("permission", "text", (column) => column.notNull())
      .addColumn("created_at", sql`timestamptz(3)`, (column) => column.notNull())
      .addColumn("updated_at", sql`timestamptz(3)`)
      .addUniqueConstraint("organization_role_name", ["organization_id", "role"])
      .execute();
    // In lower case, because the sequences of number ids are found by unquoted names.
    for (const model of ["teammember", "organizationrole"])
      await sql`create sequence ${sql.id(schema, `${model}_number`)}`.execute(db);
  },
};

const fieldKinds = ["organization", "team", "member", "invitation"];

/** Adds the values of additional fields, and the further teams of invitations. One table after the other, so that no two are locked together. */
const additionalFieldsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    for (const table of fieldKinds)
      await sql`
        alter table ${sql.id(schema, table)} add column if not exists extra jsonb not null default '{}'`.execute(
        db,
      );
    await sql`
      alter table ${sql.id(schema, "invitation")}
      add column if not exists more_team_ids jsonb not null default '[]'`.execute(db);
  },
};

/** The columns that imports wrote until now, and those that they write since. */
const importedColumns: Readonly<Record<string, readonly [former: string, present: string]>> = {
  organization: [
    "id, name, slug, logo, metadata, created_at",
    "id, name, slug, logo, metadata, created_at, extra",
  ],
  team: [
    "id, name, organization_id, created_at, updated_at",
    "id, name, organization_id, created_at, updated_at, extra",
  ],
  member: [
    "id, organization_id, user_id, role, created_at",
    "id, organization_id, user_id, role, created_at, extra",
  ],
  invitation: [
    "id, organization_id, email, role, team_id, status, expires_at, inviter_id, created_at, mailed_at",
    "id, organization_id, email, role, status, expires_at, inviter_id, created_at, mailed_at, team_id, more_team_ids, extra",
  ],
};

/**
 * Lets imports recognize rows that they wrote: the hash of a row now covers its additional fields and all teams. Rows that were changed here since keep
 * their hash, which fits neither form.
 */
const rehashImportedRows: SchemaMigration = {
  up: async (db) => {
    await sql`select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true)`.execute(
      db,
    );
    for (const [table, [former, present]] of Object.entries(importedColumns)) {
      const hash = (columns: string) =>
        sql.raw(`md5(row(${columns.replaceAll(/\w+/g, "t.$&")})::text)::uuid`);
      await sql`
        update ${sql.id(schema, "taken")} as known set kept = ${hash(present)}
        from ${sql.id(schema, table)} as t
        where known.model = ${table} and known.key = t.id and known.kept = ${hash(former)}`.execute(
        db,
      );
    }
  },
};

/** Migrations only go forward. A released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTablesMigration,
  "0002_organization_lists": organizationListsMigration,
  "0003_audit_seals": { unsafe: inFirstRelease, up: createAuditSeals },
  "0004_member_roles": memberRolesMigration,
  "0005_outbox_traces": { up: addOutboxTraces },
  "0006_taken": { up: createImportedRowTable },
  "0007_void_invitations": voidInvitationsMigration,
  "0008_invitation_users": invitationUsersMigration,
  "0009_second_factor": secondFactorMigration,
  "0010_audit_origins": indexAuditOrigins(schema),
  "0011_team_members": membersInTeamMigration,
  "0012_event_feed": startEventFeed(schema),
  "0013_folded_names": foldedNamesMigration,
  "0014_pictures": { up: (db) => createPictureTable(db, "organization") },
  "0015_user_merges": { up: createMergeTable },
  "0016_teams_of_members": teamMembersMigration,
  "0017_former_teams": formerTeamsMigration,
  "0018_organization_roles": organizationRolesMigration,
  "0019_additional_fields": additionalFieldsMigration,
  "0020_imported_rows": rehashImportedRows,
};
