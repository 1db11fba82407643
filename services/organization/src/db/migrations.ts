import {
  addOutboxTraces,
  createAuditSeals,
  createKitTables,
  inFirstRelease,
  indexAuditOrigins,
  type SchemaMigration,
  type SchemaMigrations,
  createImportedRowTable,
  startEventFeed,
} from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { invitationUsersMigration } from "./invitation-users-migration.ts";
import { memberRolesMigration } from "./member-roles-migration.ts";
import { organizationListsMigration } from "./organization-lists-migration.ts";
import { schema } from "./schema.ts";
import { secondFactorMigration } from "./second-factor-migration.ts";
import { teamMembersMigration } from "./team-members-migration.ts";
import { voidInvitationsMigration } from "./void-invitations-migration.ts";

const createOrganization = (db: Kysely<any>) =>
  db.schema
    .createTable("organization")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("slug", "text", (column) => column.notNull().unique())
    .addColumn("logo", "text")
    .addColumn("metadata", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();

const createTeam = async (db: Kysely<any>) => {
  await db.schema
    .createTable("team")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("organization_id", "text", (column) =>
      column.notNull().references("organization.id").onDelete("cascade"),
    )
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz")
    .execute();
  await db.schema
    .createIndex("team_by_organization")
    .on("team")
    .columns(["organization_id", "created_at", "id"])
    .execute();
};

const createMember = async (db: Kysely<any>) => {
  await db.schema
    .createTable("member")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("organization_id", "text", (column) =>
      column.notNull().references("organization.id").onDelete("cascade"),
    )
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("team_id", "text", (column) => column.references("team.id").onDelete("set null"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addUniqueConstraint("member_of_organization", ["organization_id", "user_id"])
    .execute();
  const orders = {
    member_by_organization: ["organization_id", "created_at", "id"],
    member_by_user: ["user_id", "created_at", "id"],
  };
  for (const [name, columns] of Object.entries(orders))
    await db.schema.createIndex(name).on("member").columns(columns).execute();
  await db.schema
    .createIndex("member_by_team")
    .on("member")
    .column("team_id")
    .where("team_id", "is not", null)
    .execute();
};

const createInvitation = async (db: Kysely<any>) => {
  await db.schema
    .createTable("invitation")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("organization_id", "text", (column) =>
      column.notNull().references("organization.id").onDelete("cascade"),
    )
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("team_id", "text", (column) => column.references("team.id").onDelete("set null"))
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("inviter_id", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("mailed_at", "timestamptz", (column) => column.notNull())
    .addCheckConstraint("invitation_email_is_lower_case", sql`email = lower(email)`)
    .execute();
  await db.schema
    .createIndex("invitation_by_organization")
    .on("invitation")
    .columns(["organization_id", "created_at", "id"])
    .execute();
  for (const column of ["email", "inviter_id"])
    await db.schema
      .createIndex(`invitation_pending_by_${column}`)
      .on("invitation")
      .column(column)
      .where("status", "=", sql.lit("pending"))
      .execute();
  await db.schema
    .createIndex("invitation_by_team")
    .on("invitation")
    .column("team_id")
    .where("team_id", "is not", null)
    .execute();
};

const createIssuedInvitation = async (db: Kysely<any>) => {
  await db.schema
    .createTable("issued_invitation")
    .addColumn("invitation_id", "text", (column) => column.primaryKey())
    .addColumn("inviter_id", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("issued_at", "timestamptz", (column) => column.notNull())
    .execute();
  const orders = {
    issued_invitation_by_inviter: ["inviter_id", "email", "issued_at"],
    issued_invitation_by_issued_at: ["issued_at"],
  };
  for (const [name, columns] of Object.entries(orders))
    await db.schema.createIndex(name).on("issued_invitation").columns(columns).execute();
};

const createDepartedUser = async (db: Kysely<any>) => {
  await db.schema
    .createTable("departed_user")
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("departed_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("departed_user_by_departed_at")
    .on("departed_user")
    .column("departed_at")
    .execute();
};

const firstTables: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await createOrganization(db);
    await createTeam(db);
    await createMember(db);
    await createInvitation(db);
    await createIssuedInvitation(db);
    await createDepartedUser(db);
    for (const model of ["organization", "member", "invitation", "team"])
      await sql`create sequence ${sql.id(schema, `${model}_number`)}`.execute(db);
  },
};

/** Migrations only go forward. A released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTables,
  "0002_organization_lists": organizationListsMigration,
  "0003_audit_seals": { unsafe: inFirstRelease, up: createAuditSeals },
  "0004_member_roles": memberRolesMigration,
  "0005_outbox_traces": { up: addOutboxTraces },
  "0006_taken": { up: createImportedRowTable },
  "0007_void_invitations": voidInvitationsMigration,
  "0008_invitation_users": invitationUsersMigration,
  "0009_second_factor": secondFactorMigration,
  "0010_audit_origins": indexAuditOrigins(schema),
  "0011_team_members": teamMembersMigration,
  "0012_event_feed": startEventFeed(schema),
};
