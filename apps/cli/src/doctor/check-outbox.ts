import {
  createLogger,
  findBacklog,
  type KitTables,
  openDatabase,
  type Settings,
  settingsOf,
} from "@latchkey/service-kit";
import type { Server } from "./explain-error.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { runCheck } from "./run-check.ts";

/** A running relay publishes every event within this time. */
const patienceMilliseconds = 60_000;
/** The services that publish events. */
export const publishers = ["identity", "organization", "apikey", "mailer", "webhooks"] as const;
const logger = createLogger({ service: "doctor", level: "silent" });

/** Counts the events of a service that are not published yet. */
export const checkOutbox = (
  settings: Settings,
  server: Server,
  schema: (typeof publishers)[number],
): Promise<Finding[]> => {
  const check = `outbox ${schema}`;
  return runCheck(check, server, async () => {
    const db = openDatabase<KitTables>(settingsOf(settings, schema), { schema, logger });
    const { waiting, oldest } = await findBacklog(db).finally(() => void db.destroy());
    const said = `${waiting} ${waiting === 1 ? "event waits" : "events wait"}`;
    const isLate = oldest !== null && Date.now() - oldest.getTime() > patienceMilliseconds;
    return isLate
      ? [
          warn(
            check,
            `${said}, since ${oldest.toISOString()}`,
            `make sure that ${schema} runs and the bus answers; no event is lost`,
          ),
        ]
      : [ok(check, said)];
  });
};
