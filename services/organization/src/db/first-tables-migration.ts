import { createKitTables, type SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./tables.ts";

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

/** Creates the tables of organizations, teams, members and invitations. */
export const firstTablesMigration: SchemaMigration = {
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
