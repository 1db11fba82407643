import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { queueNames } from "./check-queue.ts";

type AdminListQueues = typeof operations.identity.adminListQueues;

/** Returns for each queue the number of messages that wait, are in progress, will be retried, and have failed. */
export const listQueues = async ({
  bus,
}: Pick<Deps, "bus">): Promise<Answer<OperationReply<AdminListQueues>>> => {
  const queues = queueNames.map(async (name) => {
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = await bus.counts(name);
    return { name, waiting, active, delayed, failed };
  });
  return { reply: { queues: await Promise.all(queues) } };
};
