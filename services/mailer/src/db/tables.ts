import type { EventName } from "@latchkey/contracts";
import type { KitTables, WrittenOnce } from "@latchkey/service-kit/database";
import type { ColumnType } from "kysely";

/** The schema that this service owns. */
export const schema = "mailer";

/**
 * `queued`: not attempted yet. `sending`: a process sends it until `leaseUntil`. `retrying`: will be attempted again. `sent`:
 * the SMTP server accepted it. `captured`: stored only, because there is no SMTP server. `failed`: given up.
 */
export type DeliveryState = "queued" | "sending" | "retrying" | "sent" | "captured" | "failed";

/** The outcome of an attempt: a final state of the mail, or another attempt follows. */
export type AttemptOutcome = Exclude<DeliveryState, "queued" | "sending">;

/** How a message reaches its recipient. */
export type Channel = "mail" | "text";

export interface DeliveryTable {
  id: WrittenOnce<string>;
  channel: ColumnType<Channel, Channel | undefined, never>;
  /** The event that requested it. There is one mail per event. */
  eventId: WrittenOnce<string>;
  /** Name of that event, or null in rows of earlier versions. */
  event: WrittenOnce<EventName | null>;
  /** The user whom the mail is about or who caused it, or null in rows of earlier versions. */
  userId: WrittenOnce<string | null>;
  /** The invitation that the mail is about. Null for other mails, and in rows of earlier versions. */
  invitationId: WrittenOnce<string | null>;
  /** An address, or a phone number in E.164. */
  recipient: WrittenOnce<string>;
  subject: WrittenOnce<string>;
  /** Text and HTML, encrypted because they may contain a link or a code. Empty once they are deleted. */
  contentSealed: ColumnType<string, string, "">;
  state: DeliveryState;
  attempts: number;
  /** Number of attempts before an admin's last retry. */
  attemptsForgiven: ColumnType<number, undefined, number>;
  lastError: string | null;
  /** `sending`: until then the mail belongs to one process. `retrying`: the next attempt, at once if null. */
  leaseUntil: Date | null;
  /** Expiry of its link or code by the database's clock, or null if unknown. */
  sendBefore: WrittenOnce<Date | null>;
  createdAt: WrittenOnce<Date>;
  /** Time when it was sent, captured or given up. */
  settledAt: Date | null;
}

/** An attempt to send a mail. Its row is written when the attempt starts, so that one without an outcome is known too. */
export interface DeliveryAttemptTable {
  deliveryId: WrittenOnce<string>;
  /** `attempts` of the mail, including this one. */
  number: WrittenOnce<number>;
  startedAt: WrittenOnce<Date>;
  endedAt: ColumnType<Date | null, null | undefined, Date>;
  outcome: ColumnType<AttemptOutcome | null, null | undefined, AttemptOutcome>;
  reason: ColumnType<string | null, null | undefined, string | null>;
}

/** Number of mails that were settled on a UTC day, by outcome. */
interface DeliveryDayTable {
  day: WrittenOnce<string>;
  sent: number;
  failed: number;
  captured: number;
}

/** Recently deleted users. A mail that was requested before their deletion is not sent. */
export interface DepartedUserTable {
  userId: WrittenOnce<string>;
  /** HMAC of their last address in lower case, or null if an earlier version reported the deletion. */
  addressMac: WrittenOnce<string | null>;
  departedAt: WrittenOnce<Date>;
}

export interface Tables extends KitTables {
  departedUser: DepartedUserTable;
  delivery: DeliveryTable;
  deliveryAttempt: DeliveryAttemptTable;
  deliveryDay: DeliveryDayTable;
}
