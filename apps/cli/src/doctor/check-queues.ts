import { presentServices } from "@latchkey/contracts";
import { createBus, queueNames } from "@latchkey/service-kit/bus";
import type { Settings } from "@latchkey/service-kit/config";
import { createLogger } from "@latchkey/service-kit/observe";
import type { Server } from "./explain-error.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { runCheck } from "./run-check.ts";

const logger = createLogger({ service: "doctor", level: "silent" });

const readCounts = async (settings: Settings) => {
  const bus = await createBus(settings, logger);
  try {
    return await Promise.all(
      queueNames
        .filter((queue) => presentServices(settings.options).includes(queue))
        .map(async (queue) => [queue, await bus.counts(queue)] as const),
    );
  } finally {
    void bus.close().catch(() => {}); // not awaited, because it may hang
  }
};

/** Counts waiting jobs and permanently failed ones. */
export const checkQueues = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("queues", server, async () => {
    const counts = await readCounts(settings);
    return counts.map(([queue, { waiting = 0, delayed = 0, failed = 0 }]) => {
      const said = `${waiting} waiting, ${delayed} to be tried again, ${failed} failed`;
      return failed > 0
        ? warn(
            `queue ${queue}`,
            said,
            `fix the errors in the log of ${queue}, then let an admin retry or discard them; they are kept until then`,
          )
        : ok(`queue ${queue}`, said);
    });
  });
