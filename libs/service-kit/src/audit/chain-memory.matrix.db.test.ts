import { expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { createMetrics } from "../observe/metrics.ts";
import { ChainCutError } from "./chain-memory.ts";
import { startAuditSealer } from "./start-audit-sealer.ts";
import {
  type OpenedAudit,
  openSigned,
  shortOf,
  silentLogger,
  startedAnew,
} from "./test-audit.fixture.ts";

expectNoLeaks("file");

const count = 10;
let audit: OpenedAudit;
beforeEach(async () => {
  audit = await openSigned();
});
afterEach(() => audit.close());

/** Runs the statements in one transaction. */
const run = (...texts: string[]) =>
  audit.db.transaction().execute(async (trx) => {
    for (const text of texts) await sql.raw(text).execute(trx);
  });

/** Simulates an attacker with write access who relies on the service to seal and sign the rest again. */
const forge = () =>
  run(
    "delete from kit.audit_checkpoint where position >= 7",
    "delete from kit.audit_seal where position >= 7",
    "update kit.audit set action = 'nothing.done' where id = 8",
  );

/** Attack: entries are changed and every later seal is deleted, so that the sealer creates them again. */
describe("an end that a sealer has seen", () => {
  test("stops sealing and signing if it was replaced", async () => {
    await forge();
    await expect(audit.seal()).rejects.toThrow(ChainCutError);
    await audit.appendMany(1);
    await expect(audit.seal()).rejects.toThrow("position 10");
    expect([(await audit.sealedIds()).length, await audit.checkpoints()]).toEqual([6, [5]]);
    audit.advance(10_001);
    expect((await audit.verify()).broken).toMatchObject({ kind: "unsealed", auditId: 7 });
  });

  test.each([
    [
      "been removed with its rows, while there is nothing to seal",
      ["delete from kit.audit where id > 7", "delete from kit.audit_seal where position > 7"],
    ],
    ["everything, gone", ["delete from kit.audit", "delete from kit.audit_seal"]],
    ["another hash", ["update kit.audit_seal set hash = sha256('x') where position = 10"]],
    [
      "another hash, and further seals after it",
      [
        "update kit.audit_seal set hash = sha256('x') where position = 10",
        "insert into kit.audit_seal values (11, -1, sha256('y'))",
      ],
    ],
  ])("stops sealing if it has %s", async (_what, changes) => {
    await run(...changes);
    await expect(audit.seal()).rejects.toThrow(ChainCutError);
  });

  test("is found again by a replica that paused while others sealed", async () => {
    const other = startedAnew();
    await audit.seal(other);
    await audit.appendMany(3);
    await audit.seal();
    await audit.seal(other);
    await audit.appendMany(1);
    await audit.seal(other);
    await audit.seal();
    expect(shortOf(await audit.verify())).toEqual({ entries: count + 4, broken: undefined });
  });

  test("is forgotten after a restart", async () => {
    await forge();
    await audit.seal(startedAnew());
    expect((await audit.sealedIds()).length).toBe(count);
  });

  test("may be pruned with a valid signature", async () => {
    const behind = startedAnew();
    await audit.seal(behind);
    audit.advance(86_400_000);
    await audit.appendMany(2);
    await audit.seal();
    audit.advance(60_000);
    await audit.appendMany(1);
    await audit.seal();
    expect(await audit.prune(new Date(audit.clock() - 3_600_000))).toMatchObject({ start: count });
    await audit.seal(behind);
    expect(shortOf(await audit.verify()).broken).toBeUndefined();
    await run("delete from kit.audit_seal where position = 12");
    await run("update kit.audit_start set signature = sha512('x')");
    await expect(
      audit.seal({ memory: { end: { position: 12, hash: Buffer.alloc(32) } } }),
    ).rejects.toThrow(ChainCutError);
  });
});

describe("the sealer of a service whose chain was cut", () => {
  const haltedOf = async (metrics: ReturnType<typeof createMetrics>) =>
    /^latchkey_audit_halted\{[^}]*\} (\d)$/m.exec(await metrics.registry.metrics())?.[1];

  test("reports the cut once, in the log and the metrics, and stops permanently", async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger({
      service: "test",
      level: "warn",
      destination: {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      },
    });
    const metrics = createMetrics("test");
    const sealer = startAuditSealer({ ...audit.sealOptions, logger, metrics });
    await audit.appendMany(1);
    await until(async () => (await audit.sealedIds()).length === count + 1);
    expect(await haltedOf(metrics)).toBe("0");
    const hash = (await audit.verify()).hash.toString("hex");
    await forge();
    await until(async () => (await haltedOf(metrics)) === "1");
    await audit.appendMany(1);
    await sealer.stop();
    expect([(await audit.sealedIds()).length, await audit.checkpoints()]).toEqual([6, [5]]);
    expect(lines).toEqual([expect.objectContaining({ level: 50, position: count + 1, hash })]);
    expect(lines[0]?.["msg"]).toContain("audit verify");
  });

  test("continues after a restart", async () => {
    await forge();
    const sealer = startAuditSealer({
      ...audit.sealOptions,
      logger: silentLogger,
      metrics: createMetrics("test"),
    });
    await sealer.stop();
    expect((await audit.sealedIds()).length).toBe(count);
  });
});
