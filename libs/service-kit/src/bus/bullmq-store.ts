import type { Job, Queue, Worker } from "bullmq";

/** A job's data. Without `payload` the job's effect has been had and only its completion is missing. */
export interface JobData {
  payload?: unknown;
}

export type BullmqQueue = Pick<
  Queue<JobData, void>,
  "addBulk" | "getJobState" | "getJobCounts" | "waitUntilReady" | "close" | "on"
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
  ping(): Promise<void>;
  close(): Promise<void>;
}
