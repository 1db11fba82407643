import { createSecretRing } from "@latchkey/crypto";
import { createTestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { inject } from "vitest";
import { createDatabase } from "../database/database.ts";
import {
  createAuditSeals,
  createKitTables,
  indexAuditOrigins,
  type KitTables,
} from "../database/kit-tables.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { createLogger } from "../observe/logger.ts";
import { type AuditEntry, appendAudits } from "./append-audit.ts";
import { checkpointKeys } from "./checkpoint-signature.ts";
import type { ChainVerdict } from "./check-chain.ts";
import { exportAudit } from "./export-audit.ts";
import { pruneAudit } from "./prune-audit.ts";
import { sealAudit } from "./seal-audit.ts";
import { verifyAudit } from "./verify-audit.ts";
import { verifyExport } from "./verify-export.ts";

export const schema = "kit";
export const silentLogger = createLogger({ service: "test", level: "silent" });
export const testRing = createSecretRing(["a secret of the tests, long enough for all"]);
export const start = Date.parse("2030-01-02T03:04:05.678Z");

export const entry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: { kind: "user", id: "ada" },
  subject: { kind: "session", id: "s" },
  action: "session.created",
  ...given,
});

const connect = (url: string, applicationName: string, max: number): Kysely<KitTables> =>
  createDatabase<KitTables>({
    pool: createPostgresPool({ url, max, logger: silentLogger, applicationName }),
    schema,
    preparedStatements: true,
  });

/** Opens a database with the audit log of the first migration. */
const openUnsealed = async () => {
  const build = async (url: string) => {
    const db = connect(url, "test", 1);
    await sql`create schema ${sql.id(schema)}`.execute(db);
    await createKitTables(db);
    await db.destroy();
  };
  const template = { name: "service-kit-audit", hash: "1", build };
  return createTestDatabase({ baseUrl: inject("databaseUrl"), template });
};

/** Returns the fields of a verdict that tests compare. */
export const shortOf = ({ entries, broken }: ChainVerdict) => ({
  entries,
  broken: broken && { kind: broken.kind, position: broken.position, auditId: broken.auditId },
});

const lookInto = (db: Kysely<KitTables>) => ({
  /** The ids of sealed rows, in the order of the chain. */
  sealedIds: async () => {
    const seals = db.selectFrom("auditSeal").select("auditId").orderBy("position");
    return (await seals.execute()).map(({ auditId }) => auditId);
  },
  /** The ids of all rows. */
  ids: async () => {
    const rows = db.selectFrom("audit").select("id").orderBy("id");
    return (await rows.execute()).map(({ id }) => id);
  },
  /** The positions that are signed. */
  checkpoints: async () => {
    const signed = db.selectFrom("auditCheckpoint").select("position").orderBy("position");
    return (await signed.execute()).map(({ position }) => position);
  },
  gaps: () => db.selectFrom("auditGap").select(["firstId", "lastId"]).execute(),
});

/** The empty memory of a restarted service. */
export const startedAnew = () => ({ memory: {} });

const migrateAudit = async (db: Kysely<KitTables>): Promise<void> => {
  await createAuditSeals(db);
  await indexAuditOrigins(schema).up(db);
};

/** Opens an audit log. `fill` may add rows before sealing becomes possible. */
export const openAudit = async (
  fill: (db: Kysely<KitTables>) => Promise<unknown> = async () => {},
) => {
  const database = await openUnsealed();
  const opened: Kysely<KitTables>[] = [];
  const open = (applicationName: string, max = 10) => {
    const db = connect(database.url, applicationName, max);
    opened.push(db);
    return db;
  };
  const db = open("test", 20);
  await fill(db);
  await migrateAudit(db);
  let now = start;
  const clock = () => now;
  const sealOptions = { db, schema, ring: testRing, clock, memory: {} };
  const seal = async (options: Partial<typeof sealOptions> = {}) => {
    while (await sealAudit({ ...sealOptions, ...options }));
  };
  const append = (entries: readonly AuditEntry[]) =>
    db.transaction().execute((trx) => appendAudits(trx, { clock }, entries));
  return {
    db,
    open,
    clock,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    append,
    /** Appends numbered entries in one transaction. */
    appendMany: (count: number) =>
      append(
        Array.from({ length: count }, (_, index) =>
          entry({ subject: { kind: "session", id: `s${index}` } }),
        ),
      ),
    sealOptions,
    seal,
    ...lookInto(db),
    /** The pause for the sealer does nothing by default. */
    verify: (ring = testRing, pause: () => Promise<unknown> = async () => {}) =>
      verifyAudit({ db, schema, keys: checkpointKeys(ring), clock, pause }),
    verifyStopped: () =>
      verifyAudit({ db, schema, keys: checkpointKeys(testRing), clock, isStopped: true }),
    exportLines: async (schemas: readonly string[] = [schema]) => {
      const lines: string[] = [];
      const exportOptions = { db, schema, ring: testRing, schemas, at: new Date(now) };
      await exportAudit(exportOptions, async (line) => void lines.push(line));
      return lines;
    },
    prune: (before: Date) =>
      pruneAudit({
        ...sealOptions,
        keys: checkpointKeys(testRing),
        pause: async () => {},
        before,
        actor: { kind: "service", id: "operator" },
      }),
    close: async () => {
      await Promise.all(opened.map((one) => one.destroy()));
      await database.drop();
    },
  };
};
export type OpenedAudit = Awaited<ReturnType<typeof openAudit>>;

/** Opens a log of ten entries, with checkpoints at five and ten. */
export const openSigned = async (): Promise<OpenedAudit> => {
  const audit = await openAudit();
  await audit.appendMany(5);
  await audit.seal();
  audit.advance(60_000);
  await audit.appendMany(5);
  await audit.seal();
  return audit;
};

/** Verifies the lines of an export. */
export const verifyLines = async (lines: readonly string[], ring = testRing) => {
  const readLines = async function* () {
    yield* lines;
  };
  return verifyExport(readLines(), checkpointKeys(ring));
};
