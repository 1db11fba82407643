import { type CsvColumns, csvMembers } from "../export/csv-export.ts";
import type { ApiKey } from "./api-key.ts";

/** The columns of exported keys. */
export const keyCsv: CsvColumns<ApiKey> = {
  ...csvMembers<ApiKey>("id", "name", "start", "prefix", "userId"),
  userEmail: ({ user }) => user?.email,
  ...csvMembers<ApiKey>("organizationId"),
  organizationName: ({ organization }) => organization?.name,
  ...csvMembers<ApiKey>("enabled", "disabledByAdmin", "remaining"),
  ...csvMembers<ApiKey>("lastRequest", "expiresAt", "createdAt"),
};
