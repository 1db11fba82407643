export type { Bus } from "./bus.ts";
export { retryDelay } from "./bullmq-bus.ts";
export { createBus, migrateBus, pendingBusMigrations, queueNames } from "./create-bus.ts";
export { UnretryableError } from "./unretryable-error.ts";
