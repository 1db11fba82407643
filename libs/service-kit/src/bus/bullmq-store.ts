import type { Job, Queue, Worker } from "bullmq";
import type { FailedMessage, FailedRange, QueuePace } from "./bus.ts";

/** A job's data. Without `payload`, the job has taken effect and only its completion is missing. */
export interface JobData {
  payload?: unknown;
}

export type BullmqQueue = Pick<
  Queue<JobData, void>,
  | "addBulk"
  | "getJob"
  | "getJobs"
  | "getJobState"
  | "getJobCounts"
  | "waitUntilReady"
  | "close"
  | "on"
>;

export type BullmqWorker = Pick<Worker<JobData, void>, "run" | "waitUntilReady" | "close" | "on">;

export interface OpenedWorker {
  worker: BullmqWorker;
  /** Call before `close` of a worker that was ready. From then on, a lost connection is not restored. */
  letGo(): Promise<void>;
  /** Cuts the connections that are the worker's own. For a worker whose `close` does not answer. */
  destroy(): void;
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

/** The beginnings of the last minute and of the last five, in milliseconds since the epoch. */
export interface PaceFrom {
  minute: number;
  fiveMinutes: number;
}

/** The differences between the two stores. The caller closes whatever it opens here, before `close`. */
export interface BullmqStore {
  openQueue(name: string): BullmqQueue;
  openWorker(
    name: string,
    work: (job: Job<JobData, void>) => Promise<void>,
    settings: WorkerSettings,
  ): OpenedWorker;
  /** Retention of finished jobs: age in seconds and maximum number. */
  retention: {
    removeOnComplete: { age: number; count?: number };
    removeOnFail: false | { count: number };
  };
  /** Like `Bus.failed`, with unshortened reasons. BullMQ's own paging uses ranks, which shift while a client pages. */
  listFailed(queue: string, range: FailedRange): Promise<FailedMessage[]>;
  /**
   * Like `Bus.discard`, atomically. BullMQ removes jobs in any state, and a removed job would look forgotten and be published
   * again.
   */
  completeFailed(queue: string, id: string): Promise<boolean>;
  /** Like `Bus.pace`, for the two times from which messages count as handled lately. */
  readPace(queue: string, from: PaceFrom): Promise<QueuePace>;
  ping(): Promise<void>;
  /** Returns the time by the store's clock, in milliseconds since the epoch. */
  now(): Promise<number>;
  close(): Promise<void>;
}
