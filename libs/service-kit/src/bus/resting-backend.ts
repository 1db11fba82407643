import { setTimeout as delay } from "node:timers/promises";
import { PostgresQueueBackend } from "bullmq";

const restMilliseconds = 500;
const blockSeconds = 10;

/**
 * BullMQ's Postgres backend, hardened against a lost server. A failed fetch is delayed before it rejects, because the worker's
 * loop repeats it at once. An idle worker polls every ten seconds instead of every hour, because a notification that is sent
 * while LISTEN reconnects is lost.
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
