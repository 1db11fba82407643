import type { AuditPlace } from "./audit-place.ts";

/** Names an entry among those of all services. */
export const entryKey = ({ service, id }: Pick<AuditPlace, "service" | "id">): string =>
  `${service}:${id}`;
