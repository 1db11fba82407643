import { setTimeout as delay } from "node:timers/promises";
import type { Ending, ServiceProcess } from "./start-service-process.ts";

/** A replica that is restarted when it ends. */
export interface KeptReplica {
  /** Stops it permanently. */
  stop(): Promise<void>;
}

const restMilliseconds = 500;
const restMillisecondsMax = 30_000;
/** A replica that ran for this long resets the restart delay. */
const settledMilliseconds = 60_000;

const describe = ({ code, signal }: Ending): string =>
  signal ? `ended by ${signal}` : `ended with code ${code}`;

/**
 * Keeps a replica running like an orchestrator, with a growing delay if it ends again soon. Rejects if it ends or does not become ready at
 * its first start.
 */
export const keepRunning = async (
  launch: () => ServiceProcess,
  say: (text: string) => void,
): Promise<KeptReplica> => {
  const start = () => {
    const launched = launch();
    say(`process ${launched.pid}, port ${launched.ports.port}`);
    return launched;
  };
  const stopping = new AbortController();
  const hasToStop = () => stopping.signal.aborted;
  let current = start();
  let startedAt = performance.now();
  const startAgain = async (failures: number): Promise<void> => {
    const rest = Math.min(restMilliseconds * 2 ** failures, restMillisecondsMax);
    say(`${describe(await current.ended)}; starts again in ${rest / 1000} s`);
    await delay(rest, undefined, { signal: stopping.signal }).catch(() => {});
    if (hasToStop()) return;
    current = start();
    startedAt = performance.now();
    const isReady = await current.answers("/health/ready").catch(() => false);
    if (isReady) say("is ready again");
  };
  const watch = async (): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      await current.ended;
      if (hasToStop()) return;
      if (performance.now() - startedAt > settledMilliseconds) failures = 0;
      await startAgain(failures);
    }
  };
  const isReady = await current.answers("/health/ready").catch(async (error: unknown) => {
    await current.end("SIGKILL");
    throw error;
  });
  if (!isReady) throw new Error(`${current.service} ended at its start`);
  const watched = watch();
  return {
    stop: async () => {
      stopping.abort();
      await current.end("SIGTERM");
      await watched;
    },
  };
};
