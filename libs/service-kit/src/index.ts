export {
  appendAudit,
  appendAudits,
  type AuditEntry,
  auditNames,
  auditRow,
  type AuditRow,
} from "./audit/append-audit.ts";
export {
  checkpointKeys,
  readCheckpointKey,
  writeCheckpointKey,
} from "./audit/checkpoint-signature.ts";
export type { ChainVerdict } from "./audit/check-chain.ts";
export { exportAudit } from "./audit/export-audit.ts";
export { createAuditList, findByEmailRemotely } from "./audit/create-audit-list.ts";
export { readPersonAudit } from "./audit/person-audit.ts";
export { pruneAudit } from "./audit/prune-audit.ts";
export { verifyAudit } from "./audit/verify-audit.ts";
export { ExportUnreadableError, type ExportVerdict, verifyExport } from "./audit/verify-export.ts";
export { serviceActor } from "./events/service-actor.ts";
export { sessionActor } from "./events/session-actor.ts";
export { appendEvent } from "./events/append-event.ts";
export {
  appendEvents,
  type NewOutboxRow,
  outboxNames,
  prepareEvent,
} from "./events/append-events.ts";
export { findBacklog, ownPublishedAt } from "./events/outbox-queries.ts";
export { consumeEvents, type EventHandlers } from "./events/consume-events.ts";
export { once } from "./events/once.ts";
export {
  type AuditedChange,
  type DescribeChanges,
  recordEvents,
  startRecordingEvents,
} from "./events/record-events.ts";
export {
  createEventApplier,
  createUrgentEvents,
  readUrgentEvents,
  type UrgentEvents,
} from "./events/urgent-events.ts";
export type { Bus } from "./bus/bus.ts";
export { createBus, migrateBus, pendingBusMigrations, queueNames } from "./bus/create-bus.ts";
export { UnretryableError } from "./bus/unretryable-error.ts";
export { ConfigurationError } from "./config/configuration-error.ts";
export { basePathOf } from "./config/base-path.ts";
export { overlayEnvironment } from "./config/environment-overlay.ts";
export { loadConfigFile } from "./config/load-config-file.ts";
export type { Environment } from "./config/environment.ts";
export { optionVariables } from "./config/option-variables.ts";
export {
  type PasskeySource,
  readPasskeySettings,
  type RelyingParty,
} from "./config/passkey-settings.ts";
export { processVariables } from "./config/process-variables.ts";
export { type EnvironmentTexts, readSecretFiles } from "./config/read-secret-files.ts";
export {
  checkSettings,
  defaultSecret,
  type Given,
  readSettings,
  type Settings,
} from "./config/settings.ts";
export { settingsOf } from "./config/settings-of.ts";
export { type GrantedRole, grantRoles } from "./roles/grant-roles.ts";
export { schemasOf } from "./roles/schemas-of.ts";
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
} from "./database/columns.ts";
export { type CompiledOnce, compileOnce, pickSlots, type Slots } from "./database/compile-once.ts";
export { compileTogether } from "./database/compile-together.ts";
export { createDatabase } from "./database/database.ts";
export {
  addOutboxTraces,
  createAuditSeals,
  createKitTables,
  type FeedingTables,
  indexAuditOrigins,
  type KitTables,
  startEventFeed,
  type WrittenOnce,
} from "./database/kit-tables.ts";
export { deleteRowsBefore, inBatches } from "./database/in-batches.ts";
export { lookUpTogether, readTogether } from "./database/look-up-together.ts";
export { type BuiltIndex, buildIndex } from "./database/build-index.ts";
export { migrate } from "./database/migrate.ts";
export { migrateSchema, pendingMigrations } from "./database/migrate-schema.ts";
export {
  isDeadlock,
  isMissingReference,
  isUniqueViolation,
  isUnreadableText,
} from "./database/constraint-errors.ts";
export { listen } from "./database/listen.ts";
export { inPatientTransaction } from "./database/patience.ts";
export {
  inFirstRelease,
  type MigratedDatabase,
  type SchemaMigration,
  type SchemaMigrations,
} from "./database/schema-migration.ts";
export { openDatabase } from "./database/open-database.ts";
export { pingDatabase } from "./database/ping-database.ts";
export { createPostgresPool } from "./database/postgres-pool.ts";
export { planAnew } from "./database/plan-anew.ts";
export { plannedList } from "./database/planned-list.ts";
export { trigramOperators } from "./database/trigram-operators.ts";
export { readCursor } from "./database/read-cursor.ts";
export { createRowIds, type RowIds } from "./database/row-ids.ts";
export { createRedisKeys, lifetimeMilliseconds } from "./database/redis-key.ts";
export { pingRedis } from "./database/ping-redis.ts";
export { createRedis, isRedisCluster, type RedisClient } from "./database/redis.ts";
export { movedEvent } from "./database/redis-cluster.ts";
export { signCaller, type UnsignedCaller } from "./http/caller-signature.ts";
export { createServer, bodyBytesMax } from "./http/create-server.ts";
export { wireErrorOf } from "./http/error-answer.ts";
export { createOperationClient, type OperationClient } from "./http/operation-client.ts";
export { sendRequest } from "./http/send-request.ts";
export { revisionHeaders } from "./http/revision-headers.ts";
export { createServiceClient, type ServiceClient } from "./http/service-client.ts";
export { createServicePool, type ServicePool } from "./http/service-pool.ts";
export { mountOperations } from "./http/mount-operations.ts";
export { NotSharedError } from "./http/not-shared-error.ts";
export type { Answer, FirstChecks, Handlers, LinkAnswer } from "./http/run-operation.ts";
export { settledTogether } from "./http/settled-together.ts";
export {
  readSharedAnswers,
  type SharedAnswer,
  sharedCallHeader,
  sharedCallPath,
  signSharedCall,
  writeSharedAnswers,
  writeSharedRequest,
} from "./http/shared-call.ts";
export {
  createOutbound,
  type Outbound,
  type OutboundInit,
  type OutboundOptions,
} from "./http/outbound.ts";
export { OutboundError } from "./http/outbound-error.ts";
export { checkReach } from "./http/check-reach.ts";
export { type AppUrls, applicationUrl, isTokenPage, landingPlace } from "./http/landing-place.ts";
export {
  requireSession,
  missingProof,
  requireStrongSession,
  type ResolvedSession,
  type ResolveOptions,
  type SessionAuthentication,
  type SessionRules,
} from "./http/require-session.ts";
export { methodsOf, showAuthentication } from "./http/show-authentication.ts";
export { type Call, hookContext, issuesOf, readCall, type Sent } from "./http/read-call.ts";
export { findHookSession } from "./http/find-hook-session.ts";
export { createReplySerializer } from "./http/reply-serializer.ts";
export { timesOf } from "./http/times-of.ts";
export { vouchedSession } from "./http/vouched-session.ts";
export { readBody } from "./http/read-body.ts";
export { createServiceTokenReader } from "./http/service-token.ts";
export { escapeHtml } from "./http/html.ts";
export { sendJson } from "./http/send-json.ts";
export { isStale } from "./http/is-stale.ts";
export { isUnavailable } from "./http/unavailable.ts";
export { registerOutboxGauges, registerQueueGauge } from "./observe/bus-gauges.ts";
export { registerCounter } from "./observe/counter.ts";
export { registerGauge } from "./observe/gauge.ts";
export { registerHistogram } from "./observe/histogram.ts";
export {
  type HealthCheck,
  mountHealth,
  parseReadiness,
  type Readiness,
  readReadiness,
  type ToldReadiness,
} from "./observe/health.ts";
export {
  askedOwner,
  hasIds,
  type List,
  type ListCondition,
  type ListKey,
  type ListLead,
  type OwnerQuery,
  type ScopedList,
  selectColumns,
} from "./lists/list.ts";
export { writeCursor } from "./lists/list-cursor.ts";
export { equalsLead, looseScan } from "./lists/index-lead.ts";
export {
  exactTotalMax,
  type ListedPage,
  type ListQuery,
  readList,
  readUncounted,
  readScopedList,
} from "./lists/read-list.ts";
export {
  type ListPage,
  type PageQuery,
  limitDefault,
  readAmounts,
  readPage,
  refuseQuery,
  takePage,
} from "./lists/read-page.ts";
export {
  containsAddress,
  containsText,
  endsWithText,
  escapeLike,
  hasTrigram,
  startsWithText,
} from "./lists/text-search.ts";
export { createDailyTally, type DailyTally } from "./statistics/daily-tally.ts";
export { addDays, countDays, dayOf } from "./statistics/days.ts";
export { everyDay } from "./statistics/every-day.ts";
export { keepWriting } from "./statistics/keep-writing.ts";
export { type DayRange, readDayRange } from "./statistics/read-day-range.ts";
export { createLogger, type Logger } from "./observe/logger.ts";
export { createMetrics, type Metrics } from "./observe/metrics.ts";
export { registerRedisGauge } from "./observe/store-gauges.ts";
export { traceCall } from "./http/trace-call.ts";
export { traceRequests } from "./observe/trace-requests.ts";
export type { Tracing } from "./observe/tracing.ts";
export { migrateWithViews } from "./custom-names/migrate-with-views.ts";
export type { WantedView } from "./custom-names/view-rules.ts";
export { personExport, withDatabase } from "./database/with-database.ts";
export { withDeadline } from "./run/with-deadline.ts";
export { type BoundedMemo, createBoundedMemo, detached } from "./run/bounded-memo.ts";
export { createWake } from "./run/create-wake.ts";
export { every } from "./run/every.ts";
export { defineService, type DefinedService } from "./run/define-service.ts";
export { listCurrent } from "./run/list-current.ts";
export type {
  EventConsumers,
  OperationChecks,
  OperationHandlers,
} from "./run/service-definition.ts";
export type { Connections } from "./run/connections.ts";
export type { Core, StoringCore } from "./run/core.ts";
export { finishStart } from "./run/finish-start.ts";
export { runMain, stopOnSignal } from "./run/run-main.ts";
export { StartError } from "./run/start-error.ts";
export {
  type Background,
  type RunningService,
  runService,
  type Service,
  type ServiceParts,
} from "./run/service.ts";
export type { CarriedSchema } from "./transfer/carried-schema.ts";
export {
  type CheckedTransfer,
  checkTransfer,
  type TransferSection,
} from "./transfer/check-transfer.ts";
export { type ExportedInstallation, exportInstallation } from "./transfer/export-installation.ts";
export { importSchema } from "./transfer/import-schema.ts";
export type { Portable, TableMover, TextRow } from "./transfer/table-mover.ts";
export { TransferError } from "./transfer/transfer-error.ts";
export { recordImport, type ImportCounts } from "./import/record-import.ts";
export {
  deleteImported,
  forgetImported,
  insertImported,
  listKept,
  listUntouched,
  recordImported,
  releaseImported,
  rerecordImported,
  sampleImported,
  type ImportTarget,
  type ImportModel,
  updateImported,
} from "./import/queries.ts";
export { type GivenValues, idLengthMax, readGiven, readTime } from "./import/read-given.ts";
export type { GivenRow, SourceBatch, ImportedBatch, ImportNote } from "./import/source-batch.ts";
export { createTableImporter, importTransaction } from "./import/table-importer.ts";
export { importBatch, type ImportPlan, type Importer } from "./import/import-batch.ts";
export { createImportedRowTable, type ImportTables } from "./import/imported-row-table.ts";
