import type { Job, Queue, Worker } from "bullmq";
import type { FailedMessage, FailedRange } from "./bus.ts";

/** A job's data. Without `payload` the job's effect has been had and only its completion is missing. */
export interface JobData {
  payload?: unknown;
}

export type BullmqQueue = Pick<
  Queue<JobData, void>,
  "addBulk" | "getJob" | "getJobState" | "getJobCounts" | "waitUntilReady" | "close" | "on"
>;

export type BullmqWorker = Pick<
  Worker<JobData, void>,
  "run" | "waitUntilReady" | "close" | "disconnect" | "on"
>;

export interface OpenedWorker {
  worker: BullmqWorker;
  /** Before `close` of a worker that was ready: from now on a lost connection is given up instead of awaited. */
  letGo(): Promise<void>;
}

export interface WorkerSettings {
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
  runRetryDelay: number;
  autorun: false;
  settings: { backoffStrategy: (failures: number) => number };
}

/** What the two stores do differently. What is opened here is closed by who opened it, before `close`. */
export interface BullmqStore {
  openQueue(name: string): BullmqQueue;
  openWorker(
    name: string,
    work: (job: Job<JobData, void>) => Promise<void>,
    settings: WorkerSettings,
  ): OpenedWorker;
  /** How long finished jobs are remembered: seconds of age, and how many at most. */
  retention: {
    removeOnComplete: { age: number; count?: number };
    removeOnFail: false | { count: number };
  };
  /** As `Bus.failed`, reasons at full length. BullMQ pages by rank, which moves while one reads. */
  listFailed(queue: string, range: FailedRange): Promise<FailedMessage[]>;
  /**
   * As `Bus.discard`, in one step. A job that is merely removed would be one that the store forgot, and be published again;
   * BullMQ removes jobs in any state.
   */
  completeFailed(queue: string, id: string): Promise<boolean>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
