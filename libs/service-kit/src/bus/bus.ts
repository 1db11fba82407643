/** A message. `id` is unique in its queue, is not an integer and has no `:` (BullMQ). `data` is JSON. */
export interface BusMessage {
  id: string;
  name: string;
  data: unknown;
}

/** `pending`: will run or is running. `failed`: waits for an operator. `missing`: never published, or forgotten. */
export type MessageState = "pending" | "done" | "failed" | "missing";

/** A message that was given up. Its data is left out, because it may hold a secret. */
export interface FailedMessage {
  id: string;
  name: string;
  failedAt: Date;
  /** Attempts since an operator last retried it. */
  attempts: number;
  /** The error of the last attempt, shortened. */
  reason: string;
}

/** A page of failed messages: up to `limit` after a place. */
export interface FailedRange {
  limit: number;
  after?: Pick<FailedMessage, "failedAt" | "id"> | undefined;
}

/** How fast a queue moves. The times are by the clocks of its consumers and publishers. */
export interface QueuePace {
  /** Messages that were done within the last minute. Redis keeps at most 10,000 of them. */
  handledLastMinute: number;
  handledLastFiveMinutes: number;
  /** The time at which the next waiting message was published or, if it was attempted before, last attempted. */
  oldestWaitingAt: Date | undefined;
}

/** Handles a message. `attempt` counts from 1. A rejection is retried later, unless it is an `UnretryableError`. */
export type MessageHandler = (message: BusMessage, attempt: number) => Promise<void>;

/** A running consumer. */
export interface Consumer {
  /** Stops taking messages. */
  drain(): void;
  /** Stops taking messages and waits up to seven seconds for active ones. */
  stop(): Promise<void>;
}

/** Queues of messages, each delivered at least once to one of the queue's consumers. */
export interface Bus {
  /** Rejects within seconds if the store is down. Publishing an id that the queue still knows changes nothing. */
  publish(queue: string, messages: readonly BusMessage[]): Promise<void>;
  /** Returns the state of every given id. `done` is remembered for a while only, then it is `missing`. */
  states(queue: string, ids: readonly string[]): Promise<Map<string, MessageState>>;
  /** Starts at once and survives every loss of the store. */
  consume(
    queue: string,
    handler: MessageHandler,
    options: { concurrency: number; attemptsMax: number },
  ): Consumer;
  /** Returns the number of messages by condition: waiting, active, delayed, failed. */
  counts(queue: string): Promise<Record<string, number>>;
  /** Returns the pace of a queue. Its cost does not depend on the number of messages that wait. */
  pace(queue: string): Promise<QueuePace>;
  /** Returns failed messages, the latest first. Ties are ordered by id, descending. */
  failed(queue: string, range: FailedRange): Promise<FailedMessage[]>;
  /** Restores all attempts of a failed message. Returns false if it has not failed. Of concurrent calls, one succeeds. */
  retry(queue: string, id: string): Promise<boolean>;
  /** Marks a failed message as done and removes its data. Returns false if it has not failed. Of concurrent calls, one succeeds. */
  discard(queue: string, id: string): Promise<boolean>;
  /** Resolves if the store responds. */
  ping(): Promise<void>;
  /** Stops the consumers, then closes the connections. */
  close(): Promise<void>;
}
