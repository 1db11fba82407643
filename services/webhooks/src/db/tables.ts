import {
  columnTypes,
  type KitTables,
  nullable,
  type TableOf,
  withInitial,
  type WrittenOnce,
  writtenOnce,
} from "@latchkey/service-kit/database";
import { type ColumnType, type Generated, sql } from "kysely";

/** The schema that this service owns. */
export const schema = "webhooks";

const named = (table: string) => sql`${sql.id(schema, table)} as ${sql.id(table)}`;

/** The tables by name, for statements that are written as text. */
export const tables = {
  attempt: named("attempt"),
  deletedEndpoint: named("deleted_endpoint"),
  delivery: named("delivery"),
  endpoint: named("endpoint"),
  endpointHour: named("endpoint_hour"),
  event: named("event"),
  lane: named("lane"),
} as const;

const { integer, text, textOf, time } = columnTypes;

export type EndpointState = "active" | "paused" | "disabled";
export type StateReason = "user" | "failures" | "gone" | "not-allowed";

export const endpointColumns = {
  id: writtenOnce(text),
  url: text,
  description: text,
  /** Null for an endpoint of the installation. */
  organizationId: writtenOnce(nullable(text)),
  contactEmail: text,
  state: textOf<EndpointState>(),
  stateReason: nullable(textOf<StateReason>()),
  failingSince: nullable(time),
  /** The last attempt that a receiver accepted, within a minute. */
  lastSuccessAt: nullable(time),
  lastFailureAt: nullable(time),
  formerSecretUntil: nullable(time),
  createdBy: writtenOnce(text),
  createdAt: writtenOnce(time),
  updatedAt: time,
};

export interface EndpointTable extends TableOf<typeof endpointColumns> {
  /** Types of events. Empty stands for all. */
  events: string[];
  /** Empty if unknown. */
  contactName: string;
  /** The user whose proven address the contact is. Without one, nobody is mailed. */
  contactUserId: string | null;
  /** A member of its organization created or changed it, so it is sent only while members may have webhooks. */
  byMembers: ColumnType<boolean, boolean | undefined, boolean>;
  secretSealed: string;
  formerSecretSealed: string | null;
  /** Failures since the last success. */
  failureCount: ColumnType<number, undefined, number>;
  /** Nothing is sent before this time: the receiver asked for a pause, or has failed repeatedly. */
  restUntil: ColumnType<Date | null, undefined, Date | null>;
}

export const deliveryColumns = {
  id: writtenOnce(text),
  endpointId: writtenOnce(text),
  eventId: writtenOnce(text),
  eventType: writtenOnce(text),
  subjectKind: writtenOnce(text),
  subjectId: writtenOnce(text),
  state: textOf<"pending" | "delivered" | "failed">(),
  attempts: withInitial(integer, 0),
  lastStatus: nullable(integer),
  lastError: nullable(text),
  createdAt: writtenOnce(time),
  settledAt: nullable(time),
};

export interface DeliveryTable extends TableOf<typeof deliveryColumns> {
  isReplay: WrittenOnce<boolean>;
  /** Order of sending within a lane. */
  sequence: Generated<number>;
  /** When it is given up. Set by its first failure. */
  retryUntil: ColumnType<Date | null, undefined, Date | null>;
}

/** The events of applications, in the order of their arrival. */
interface EventTable {
  id: WrittenOnce<string>;
  /** Assigned under a lock, so that no event appears before another that is already visible. */
  sequence: Generated<number>;
  type: WrittenOnce<string>;
  subjectKind: WrittenOnce<string>;
  subjectId: WrittenOnce<string>;
  organizationId: WrittenOnce<string | null>;
  occurredAt: WrittenOnce<Date>;
  recordedAt: WrittenOnce<Date>;
  /** The JSON text that is sent, so that each attempt sends the same bytes. */
  body: WrittenOnce<string>;
}

export interface AttemptTable {
  deliveryId: WrittenOnce<string>;
  number: WrittenOnce<number>;
  startedAt: WrittenOnce<Date>;
  durationMilliseconds: WrittenOnce<number>;
  status: WrittenOnce<number | null>;
  response: WrittenOnce<string | null>;
  error: WrittenOnce<string | null>;
}

/** The pending deliveries of one subject at one endpoint, of which one is sent at a time. Has no row while none is pending. */
interface LaneTable {
  endpointId: WrittenOnce<string>;
  /** Kind and id. */
  subject: WrittenOnce<string>;
  pending: number;
  /** When the first delivery is due. */
  dueAt: Date;
  /** While the first delivery is being sent: when it may be sent again if its process is gone. */
  leaseUntil: Date | null;
  /** Counts the leases, so that only the last holder records an outcome. */
  claim: number;
}

/** A deleted endpoint, of which other tables may have rows for a while. */
interface DeletedEndpointTable {
  id: WrittenOnce<string>;
  deletedAt: WrittenOnce<Date>;
}

/** Attempts of one endpoint in one hour. */
interface EndpointHourTable {
  endpointId: WrittenOnce<string>;
  hour: WrittenOnce<Date>;
  delivered: number;
  failedAttempts: number;
  /** Attempts with a response, and their durations. */
  answered: number;
  totalMilliseconds: number;
  maxMilliseconds: number;
}

/** Mails about paused endpoints that were sent to a contact on a day. */
interface ContactMailTable {
  userId: WrittenOnce<string>;
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  count: number;
}

export interface Tables extends KitTables {
  contactMail: ContactMailTable;
  endpoint: EndpointTable;
  deletedEndpoint: DeletedEndpointTable;
  event: EventTable;
  delivery: DeliveryTable;
  attempt: AttemptTable;
  lane: LaneTable;
  endpointHour: EndpointHourTable;
}
