import { setTimeout as delay } from "node:timers/promises";
import type { Ending, ServiceProcess } from "./start-service-process.ts";

/** A replica that is started again when it ends by itself. */
export interface KeptReplica {
  /** Ends it for good. */
  stop(): Promise<void>;
}

const restMilliseconds = 500;
const restMillisecondsMax = 30_000;
/** Who has run for so long was not ended by what ended it before. */
const settledMilliseconds = 60_000;

const describe = ({ code, signal }: Ending): string =>
  signal ? `ended by ${signal}` : `ended with code ${code}`;

/**
 * Keeps a replica running as an orchestrator would, each time after a longer rest where it does not stay. Rejects where it ends
 * at its first start, or does not become ready then.
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
