export { appendEvent } from "./append-event.ts";
export { appendEvents, type NewOutboxRow, outboxNames, prepareEvent } from "./append-events.ts";
export { findBacklog, ownPublishedAt } from "./outbox-queries.ts";
export { consumeEvents, type EventHandlers } from "./consume-events.ts";
export { once } from "./once.ts";
export {
  type AuditedChange,
  describeChange,
  type DescribeChanges,
  type Describers,
  recordEvents,
  startRecordingEvents,
} from "./record-events.ts";
export {
  createEventApplier,
  createUrgentEvents,
  readUrgentEvents,
  type UrgentEvents,
} from "./urgent-events.ts";
export { registerOutboxGauges, registerQueueGauge } from "./bus-gauges.ts";
