import type { AuditedService } from "@latchkey/contracts";
import { auditedServices } from "../../api/contracts.ts";

/** Where an entry stands among those of all services: by time, newest first, then by service as they are listed, then by id. */
export interface AuditPlace {
  readonly occurredAt: string;
  readonly service: AuditedService;
  readonly id: string;
}

const rankOf = ({ service }: AuditPlace): number => auditedServices.indexOf(service);

/** Negative where the first is shown before the other. */
export const comparePlaces = (one: AuditPlace, other: AuditPlace): number =>
  Date.parse(other.occurredAt) - Date.parse(one.occurredAt) ||
  rankOf(one) - rankOf(other) ||
  Number(other.id) - Number(one.id);

/** A place as the address of a page carries it. */
export const placeText = ({ occurredAt, service, id }: AuditPlace): string =>
  `${occurredAt}~${service}~${id}`;

/** The other way round; undefined where it is no place. */
export const readPlace = (text: string): AuditPlace | undefined => {
  const [occurredAt = "", named, id = "", ...more] = text.split("~");
  const service = auditedServices.find((known) => known === named);
  const isPlace = service && more.length === 0 && /^\d{1,15}$/.test(id);
  return isPlace && !Number.isNaN(Date.parse(occurredAt)) ? { occurredAt, service, id } : undefined;
};
