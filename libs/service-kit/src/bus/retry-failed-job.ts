import { ErrorCode } from "bullmq";
import type { BullmqQueue } from "./bullmq-store.ts";

const isRefusal = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return code === ErrorCode.JobNotExist || code === ErrorCode.JobNotInState;
};

/** Requeues a failed job with all attempts. Returns false if there is no such failed job. Of concurrent calls, one succeeds. */
export const retryFailedJob = async (
  queue: Pick<BullmqQueue, "getJob">,
  id: string,
): Promise<boolean> => {
  const job = await queue.getJob(id);
  if (!job) return false;
  try {
    await job.retry("failed", { resetAttemptsMade: true });
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
};
