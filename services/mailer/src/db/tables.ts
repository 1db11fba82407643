import type { KitTables, WrittenOnce } from "@latchkey/service-kit";

/**
 * `queued`: not tried yet. `sending`: one process is at it until `leaseUntil`. `retrying`: it will be tried again.
 * `sent`: the SMTP server took it. `captured`: kept here because there is no SMTP server. `failed`: given up.
 */
export type DeliveryState = "queued" | "sending" | "retrying" | "sent" | "captured" | "failed";

export interface DeliveryTable {
  id: WrittenOnce<string>;
  /** The event that asked for it; one mail for one event. */
  eventId: WrittenOnce<string>;
  recipient: WrittenOnce<string>;
  subject: WrittenOnce<string>;
  /** Text and HTML, sealed, because they hold a link. */
  contentSealed: WrittenOnce<string>;
  state: DeliveryState;
  attempts: number;
  lastError: string | null;
  leaseUntil: Date | null;
  createdAt: WrittenOnce<Date>;
  /** When it was sent, captured or given up. */
  settledAt: Date | null;
}

export interface Tables extends KitTables {
  delivery: DeliveryTable;
}
