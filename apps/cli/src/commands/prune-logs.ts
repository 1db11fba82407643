import { operatorActor } from "@latchkey/identity/commands";
import { pruneAudit } from "@latchkey/service-kit/audit";
import {
  chooseLogs,
  keyOptions,
  keysOf,
  logOptions,
  readKey,
  ringOf,
  withEachLog,
} from "./audit-logs.ts";
import { describeVerdict } from "./describe-verdict.ts";
import { readOptions } from "./read-options.ts";
import { UsageError } from "./usage-error.ts";
import { withSchemas } from "./with-installation.ts";

const options = { ...logOptions, ...keyOptions, before: { type: "string" } } as const;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the start of a UTC day that has begun. */
const readDay = (text: string | undefined): Date => {
  if (text === undefined) throw new UsageError("prune needs --before, the first day to keep");
  const day = new Date(text);
  const isDay = dayForm.test(text) && !Number.isNaN(day.getTime());
  if (!isDay || day.toISOString().slice(0, text.length) !== text || day.getTime() > Date.now())
    throw new UsageError("--before must be a day such as 2026-01-31, and not one to come");
  return day;
};

/** Removes the beginning of logs. Broken logs stay as they are. Returns the exit code. */
export const pruneLogs = async (args: string[]): Promise<number> => {
  const { schema, key, before } = readOptions(args, options);
  const names = chooseLogs(schema);
  const day = readDay(before);
  const extraKeys = key.map(readKey);
  let isBroken = false;
  await withSchemas(names, ({ settings }) =>
    withEachLog(settings, names, async (log) => {
      const { verdict, start, removed } = await pruneAudit({
        ...log,
        before: day,
        keys: [...keysOf(settings), ...extraKeys],
        ring: ringOf(settings),
        clock: Date.now,
        actor: operatorActor,
      });
      isBroken ||= verdict.broken !== undefined;
      process.stdout.write(
        verdict.broken
          ? `${describeVerdict(verdict).trimEnd()} Nothing was pruned.\n`
          : `${log.schema}: ${removed} entries pruned. It begins after position ${start}.\n`,
      );
    }),
  );
  return isBroken ? 1 : 0;
};
