import type { AuditPlace } from "./audit-place.ts";

/** Returns a key that is unique among the entries of all services. */
export const entryKey = ({ service, id }: Pick<AuditPlace, "service" | "id">): string =>
  `${service}:${id}`;
