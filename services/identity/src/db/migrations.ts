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
import type { Kysely } from "kysely";
import { sql } from "kysely";
import { activeOrganizationMigration } from "./active-organization-migration.ts";
import { authenticationMigration, twoFactorFlagMigration } from "./authentication-migration.ts";
import { dailyCountsMigration } from "./daily-counts-migration.ts";
import { impersonationReasonMigration } from "./impersonation-reason-migration.ts";
import { mailedCodesMigration } from "./mailed-codes-migration.ts";
import { passkeysMigration } from "./passkeys-migration.ts";
import { providerTokensMigration } from "./provider-tokens-migration.ts";
import { rememberedMigration } from "./remembered-migration.ts";
import { schema } from "./schema.ts";
import { sessionsEndedAtMigration } from "./sessions-ended-at-migration.ts";
import { refusedSignInsMigration } from "./refused-sign-ins-migration.ts";
import { secondFactorMigration } from "./second-factor-migration.ts";
import { signInMethodsMigration } from "./sign-in-methods-migration.ts";
import { slidingWindowsMigration } from "./sliding-windows-migration.ts";
import { twoFactorNoticesMigration } from "./two-factor-notices-migration.ts";
import { userDomainsMigration } from "./user-domains-migration.ts";
import { userInvitationsMigration } from "./user-invitations-migration.ts";
import { userRoleNamesMigration } from "./user-role-names-migration.ts";
import { userUsernamesMigration } from "./user-usernames-migration.ts";
import { verifiedByLinkAloneMigration } from "./verified-by-link-alone-migration.ts";
import { wholeIdentityMigration } from "./whole-identity-migration.ts";

const firstTables: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await db.schema
      .createTable("user")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("email", "text", (column) => column.notNull().unique())
      .addColumn("email_verified", "boolean", (column) => column.notNull())
      .addColumn("image", "text")
      .addColumn("revision", "bigint", (column) => column.notNull().defaultTo(1))
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addCheckConstraint("user_email_is_lower_case", sql`email = lower(email)`)
      .execute();
    await db.schema
      .createTable("account")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) =>
        column.notNull().references("user.id").onDelete("cascade"),
      )
      .addColumn("provider_id", "text", (column) => column.notNull())
      .addColumn("account_id", "text", (column) => column.notNull())
      .addColumn("password", "text")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addUniqueConstraint("account_of_provider", ["provider_id", "account_id"])
      .execute();
    await db.schema
      .createIndex("account_by_user")
      .on("account")
      .columns(["user_id", "provider_id"])
      .execute();
    await db.schema
      .createTable("session")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("token_hash", "bytea", (column) => column.notNull().unique())
      .addColumn("token_sealed", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) =>
        column.notNull().references("user.id").onDelete("cascade"),
      )
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addColumn("ip_address", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .addColumn("revoked_at", "timestamptz")
      .execute();
    await db.schema
      .createIndex("session_by_user")
      .on("session")
      .columns(["user_id", "created_at"])
      .execute();
    await db.schema
      .createIndex("session_by_expires_at")
      .on("session")
      .column("expires_at")
      .execute();
  },
};

/** Forward only. A migration that has shipped is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTables,
  "0002_whole_identity": wholeIdentityMigration,
  "0003_provider_tokens": providerTokensMigration,
  "0004_sessions_ended_at": sessionsEndedAtMigration,
  "0005_active_organization": activeOrganizationMigration,
  "0006_audit_seals": { unsafe: inFirstRelease, up: createAuditSeals },
  "0007_daily_counts": dailyCountsMigration,
  "0008_outbox_traces": { up: addOutboxTraces },
  "0009_taken": { up: createImportedRowTable },
  "0010_remembered": rememberedMigration,
  "0011_sliding_windows": slidingWindowsMigration,
  "0012_verified_by_link_alone": verifiedByLinkAloneMigration,
  "0013_user_domains": userDomainsMigration,
  "0014_user_role_names": userRoleNamesMigration,
  "0015_two_factor_flag": twoFactorFlagMigration,
  "0016_authentication": authenticationMigration,
  "0017_second_factor": secondFactorMigration,
  "0018_mailed_codes": mailedCodesMigration,
  "0019_passkeys": passkeysMigration,
  "0020_sign_in_methods": signInMethodsMigration,
  "0021_two_factor_notices": twoFactorNoticesMigration,
  "0022_refused_sign_ins": refusedSignInsMigration,
  "0023_audit_origins": indexAuditOrigins(schema),
  "0024_user_invitations": userInvitationsMigration,
  "0025_impersonation_reason": impersonationReasonMigration,
  "0026_user_usernames": userUsernamesMigration,
  "0027_event_feed": startEventFeed(schema),
};
