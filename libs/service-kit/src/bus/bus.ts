/** What travels: `id` is unique in its queue, no integer and without `:`; `data` is JSON. */
export interface BusMessage {
  id: string;
  name: string;
  data: unknown;
}

/** `pending` may run yet, now or later; `failed` waits for an operator; `missing` was never published, or is forgotten. */
export type MessageState = "pending" | "done" | "failed" | "missing";

/** A message that was given up. What it carries is not told, because it may hold a secret. */
export interface FailedMessage {
  id: string;
  name: string;
  failedAt: Date;
  /** Tries, since an operator last asked for new ones. */
  attempts: number;
  /** What the last try said, shortened. */
  reason: string;
}

/** A part of the messages that were given up: what comes after a place, up to a most. */
export interface FailedRange {
  limit: number;
  after?: Pick<FailedMessage, "failedAt" | "id"> | undefined;
}

/** Acts on a message; `attempt` counts from 1. A rejection is tried again later, unless it is an `UnretryableError`. */
export type MessageHandler = (message: BusMessage, attempt: number) => Promise<void>;

/** A running consumer. */
export interface Consumer {
  /** Takes no more. */
  drain(): void;
  /** Takes no more, and waits for the messages in work, seven seconds at most. */
  stop(): Promise<void>;
}

/** Queues of messages, each delivered at least once to one of the queue's consumers. */
export interface Bus {
  /** Rejects within seconds when the store is down. Publishing an id that the queue still knows changes nothing. */
  publish(queue: string, messages: readonly BusMessage[]): Promise<void>;
  /** An entry for every id asked for. `done` is remembered for a while only, then it is `missing`. */
  states(queue: string, ids: readonly string[]): Promise<Map<string, MessageState>>;
  /** Starts at once and goes on through every loss of the store. */
  consume(
    queue: string,
    handler: MessageHandler,
    options: { concurrency: number; attemptsMax: number },
  ): Consumer;
  /** Messages by condition: waiting, active, delayed, failed. */
  counts(queue: string): Promise<Record<string, number>>;
  /** Messages that were given up, the last one first; ties go by id, the highest first. */
  failed(queue: string, range: FailedRange): Promise<FailedMessage[]>;
  /** Gives a failed message all its tries again; false where it has not failed. Of many at once one does it. */
  retry(queue: string, id: string): Promise<boolean>;
  /** Has a failed message count as done, without its data; false where it has not failed. Of many at once one does it. */
  discard(queue: string, id: string): Promise<boolean>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /** Stops the consumers, then leaves the store. */
  close(): Promise<void>;
}
