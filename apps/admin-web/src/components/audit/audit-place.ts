import { type AuditSource, auditSources } from "./audit-sources.ts";

/** The position of an entry among those of all services: by time, newest first, then by service in list order, then by id. */
export interface AuditPlace {
  readonly occurredAt: string;
  readonly service: AuditSource;
  readonly id: string;
}

const rankOf = ({ service }: AuditPlace): number => auditSources.indexOf(service);

/** Returns a negative number if the first place comes before the other. */
export const comparePlaces = (one: AuditPlace, other: AuditPlace): number =>
  Date.parse(other.occurredAt) - Date.parse(one.occurredAt) ||
  rankOf(one) - rankOf(other) ||
  Number(other.id) - Number(one.id);

/** Formats a place for the address of a page. */
export const placeText = ({ occurredAt, service, id }: AuditPlace): string =>
  `${occurredAt}~${service}~${id}`;

/** Parses a place from the address of a page. Returns undefined if it is invalid. */
export const readPlace = (text: string): AuditPlace | undefined => {
  const [occurredAt = "", named, id = "", ...more] = text.split("~");
  const service = auditSources.find((known) => known === named);
  const isPlace = service && more.length === 0 && /^\d{1,15}$/.test(id);
  return isPlace && !Number.isNaN(Date.parse(occurredAt)) ? { occurredAt, service, id } : undefined;
};
