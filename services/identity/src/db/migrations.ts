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
} from "@latchkey/service-kit/database";
import { createImportedRowTable } from "@latchkey/service-kit/import";
import { createPictureTable } from "@latchkey/service-kit/pictures";
import { type Kysely, sql } from "kysely";
import { authenticationMigration, twoFactorFlagMigration } from "./authentication-migration.ts";
import { dailyCountsMigration } from "./daily-counts-migration.ts";
import { importedAccountsMigration } from "./imported-accounts-migration.ts";
import { knownBrowsersMigration } from "./known-browsers-migration.ts";
import { mailedCodesMigration } from "./mailed-codes-migration.ts";
import { passkeysMigration } from "./passkeys-migration.ts";
import { accessEpochsMigration } from "./oauth-migrations.ts";
import {
  mergedNumbersMigration,
  phoneNumbersMigration,
  uniquePhoneNumbersMigration,
} from "./phone-numbers-migrations.ts";
import { providerTokensMigration } from "./provider-tokens-migration.ts";
import { schema } from "./schema.ts";
import { refusedSignInsMigration } from "./refused-sign-ins-migration.ts";
import { secondFactorMigration } from "./second-factor-migration.ts";
import { slidingWindowsMigration } from "./sliding-windows-migration.ts";
import { twoFactorNoticesMigration } from "./two-factor-notices-migration.ts";
import { wholeIdentityMigration } from "./whole-identity-migration.ts";
import { firstTablesMigration } from "./first-tables-migration.ts";
import {
  challengedGuestsMigration,
  guestsMigration,
  listedGuestsMigration,
} from "./guests-migration.ts";

/** Adds when a user was claimed. Sessions that began before are not valid. Null if the user was never claimed. */
const sessionsEndedAtMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("user").addColumn("sessions_ended_at", "timestamptz").execute();
  },
};

/** Marks addresses that only a mailed link has verified. Earlier verified addresses count as proven. */
const verifiedByLinkAloneMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("user")
      .addColumn("verified_by_link_alone", "boolean", (column) => column.notNull().defaultTo(false))
      .execute();
  },
};

/** Adds when a sign-in showed that the password of an account is known from leaks. */
const compromisedPasswordsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("account").addColumn("compromised_at", "timestamptz").execute();
  },
};

/** Adds an index that reads and counts the users of a role in the order of their names. */
const userRoleNamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_role_and_name",
      table: "user",
      definition: "(role, name_key, id)",
    }),
};

/**
 * Adds whether a session is remembered. Existing sessions count as remembered, and the marker in their browser still
 * counts.
 */
const rememberedMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("session")
      .addColumn("remembered", "boolean", (column) => column.notNull().defaultTo(true))
      .execute();
  },
};

/** Adds the sign-ins by day and method. */
const signInMethodsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("daily_method_count")
      .addColumn("day", "date", (column) => column.notNull())
      .addColumn("method", "text", (column) => column.notNull())
      .addColumn("sign_ins", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("daily_method_count_primary_key", ["day", "method"])
      .execute();
  },
};

/** Adds the organization in which a session works. */
const activeOrganizationMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("session").addColumn("active_organization_id", "text").execute();
    await db.schema
      .createIndex("session_by_active_organization")
      .on("session")
      .columns(["active_organization_id", "user_id"])
      .where("active_organization_id", "is not", null)
      .execute();
  },
};

/** Adds the team in which a session works. */
const activeTeamMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("session").addColumn("active_team_id", "text").execute();
  },
};

/**
 * Adds an index that reads and counts the users of a domain in the order of their creation. It includes the address, because
 * Postgres otherwise reads each counted user.
 */
const userDomainsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_domain",
      table: "user",
      definition: `((split_part(email, '@', 2) collate "C"), created_at, id) include (email)`,
    }),
};

/** Adds the time at which an admin invited the user of a password account to choose a password. */
const userInvitationsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("account").addColumn("invited_at", "timestamptz").execute();
  },
};

/** Adds the reason that an admin gave for an impersonation. */
const impersonationReasonMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("session").addColumn("impersonation_reason", "text").execute();
  },
};

/** Adds an index that finds users by the beginning of their username. Users without one take no space in it. */
const userUsernamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_username_start",
      table: "user",
      definition: `((left(lower(username), 100)) collate "C") where username is not null`,
    }),
};

/** Adds the former value of a trusted browser, which stays good for a moment after a rotation. */
const trustedDeviceGraceMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("trusted_device")
      .addColumn("previous_token_hash", "bytea")
      .addColumn("rotated_at", "timestamptz")
      .execute();
  },
};

/** Lets searches find users by their names without accents. The previous version still uses the index of names with accents. */
const foldedNamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) => indexFolded(db, { schema, table: "user", column: "name" }),
};

/** Adds the refused sign-ins by day and reason. */
const dailyRefusalsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("daily_refusal_count")
      .addColumn("day", "date", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("refusals", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("daily_refusal_count_primary_key", ["day", "reason"])
      .execute();
  },
};

/** Lets searches find users by the address of their last sign-in. */
const lastAddressesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "last_sign_in_by_ip_address",
      table: "last_sign_in",
      definition: "(ip_address)",
    }),
};

/** Adds the merges of users that can be undone. */
const userMergesMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("user_merge")
      .addColumn("id", "text", (column) => column.primaryKey())
      // The sweep deletes the merged user also if the other one is deleted before.
      .addColumn("user_id", "text", (column) => column.references("user.id").onDelete("set null"))
      .addColumn("merged_user_id", "text", (column) =>
        column.notNull().unique().references("user.id").onDelete("cascade"),
      )
      .addColumn("account_ids", sql`text[]`, (column) => column.notNull())
      .addColumn("passkey_ids", sql`text[]`, (column) => column.notNull())
      .addColumn("handle_passkey_ids", sql`text[]`, (column) => column.notNull())
      .addColumn("merged_at", "timestamptz", (column) => column.notNull())
      .addColumn("undoable_until", "timestamptz", (column) => column.notNull())
      .execute();
    for (const column of ["user_id", "undoable_until"])
      await db.schema
        .createIndex(`user_merge_by_${column}`)
        .on("user_merge")
        .column(column)
        .execute();
  },
};

/** Forward only. A migration that has shipped is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTablesMigration,
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
  "0028_imported_accounts": importedAccountsMigration,
  "0029_trusted_device_grace": trustedDeviceGraceMigration,
  "0030_folded_names": foldedNamesMigration,
  "0031_daily_refusals": dailyRefusalsMigration,
  "0032_last_addresses": lastAddressesMigration,
  "0033_pictures": { up: (db) => createPictureTable(db, "user") },
  "0034_known_browsers": knownBrowsersMigration,
  "0035_user_merges": userMergesMigration,
  "0036_active_team": activeTeamMigration,
  "0037_compromised_passwords": compromisedPasswordsMigration,
  "0038_guests": guestsMigration,
  "0039_challenged_guests": challengedGuestsMigration,
  "0040_phone_numbers": phoneNumbersMigration,
  "0041_unique_phone_numbers": uniquePhoneNumbersMigration,
  "0042_listed_guests": listedGuestsMigration,
  "0043_access_epochs": accessEpochsMigration,
  "0044_merged_numbers": mergedNumbersMigration,
};
