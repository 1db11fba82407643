export {
  type Column,
  type Columns,
  columnTypes,
  initialOf,
  jsonReader,
  namesOf,
  nullable,
  picker,
  qualified,
  type RowOf,
  setByPostgres,
  snakeCase,
  type TableOf,
  withInitial,
  withoutColumns,
  writtenOnce,
} from "./columns.ts";
export { type CompiledOnce, compileOnce, pickSlots, type Slots } from "./compile-once.ts";
export { compileTogether } from "./compile-together.ts";
export { createDatabase } from "./database.ts";
export {
  addOutboxTraces,
  createAuditSeals,
  createKitTables,
  type FeedingTables,
  indexAuditOrigins,
  type KitTables,
  startEventFeed,
  type WrittenOnce,
} from "./kit-tables.ts";
export { deleteRowsBefore, inBatches } from "./in-batches.ts";
export { lookUpTogether, readTogether } from "./look-up-together.ts";
export { type BuiltIndex, buildIndex } from "./build-index.ts";
export { migrate } from "./migrate.ts";
export { migrateSchema, pendingMigrations } from "./migrate-schema.ts";
export {
  isDeadlock,
  isMissingReference,
  isUniqueViolation,
  isUnreadableText,
} from "./constraint-errors.ts";
export { listen } from "./listen.ts";
export { inPatientTransaction } from "./patience.ts";
export {
  inFirstRelease,
  type MigratedDatabase,
  type SchemaMigration,
  type SchemaMigrations,
} from "./schema-migration.ts";
export { openDatabase } from "./open-database.ts";
export { pingDatabase } from "./ping-database.ts";
export { createPostgresPool } from "./postgres-pool.ts";
export { planAnew } from "./plan-anew.ts";
export { plannedList } from "./planned-list.ts";
export { indexFolded, trigramOperators } from "./search-index-migration.ts";
export { readCursor } from "./read-cursor.ts";
export { createRowIds, type RowIds } from "./row-ids.ts";
export { createRedisKeys, lifetimeMilliseconds } from "./redis-key.ts";
export { createRedis, isRedisCluster, pingRedis, type RedisClient } from "./redis.ts";
export { personExport, withDatabase } from "./with-database.ts";
