import { setTimeout as delay } from "node:timers/promises";
import { PostgresQueueBackend } from "bullmq";

const restMilliseconds = 500;
const blockSeconds = 10;

/**
 * BullMQ's Postgres backend, made safe for a worker whose server goes away: a fetch that fails rests before it says so,
 * because the worker's loop repeats it at once; and an idle worker looks again every ten seconds instead of every hour,
 * because a notification sent while LISTEN was being renewed is lost.
 */
export class RestingBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return blockSeconds;
  }

  override async moveToActive(token: string, name?: string) {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await delay(restMilliseconds);
      throw error;
    }
  }
}
