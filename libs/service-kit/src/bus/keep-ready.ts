import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue } from "./bullmq-store.ts";

/** Opens queues by name at first use. A queue never recovers from a failed first connection, so it is then dropped. */
export const keepReady = (open: (name: string) => BullmqQueue, logger: Logger) => {
  const queues = new Map<string, { queue: BullmqQueue; ready: Promise<BullmqQueue> }>();
  const add = (name: string) => {
    const queue = open(name);
    queue.on("error", (error) => logger.warn({ err: error, queue: name }, "bus queue error"));
    const ready = queue.waitUntilReady().then(
      () => queue,
      async (error: unknown) => {
        queues.delete(name);
        await queue.close().catch(() => {});
        throw error;
      },
    );
    const entry = { queue, ready };
    queues.set(name, entry);
    return entry;
  };
  return {
    get: (name: string) => (queues.get(name) ?? add(name)).ready,
    close: async () => {
      await Promise.allSettled([...queues.values()].map(({ queue }) => queue.close()));
    },
  };
};
