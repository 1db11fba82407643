import type { CsvColumns } from "../export/csv-export.ts";
import type { ApiKey } from "./api-key.ts";

/** The columns of exported keys. */
export const keyCsv: CsvColumns<ApiKey> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  start: ({ start }) => start,
  prefix: ({ prefix }) => prefix,
  userId: ({ userId }) => userId,
  userEmail: ({ user }) => user?.email,
  organizationId: ({ organizationId }) => organizationId,
  organizationName: ({ organization }) => organization?.name,
  enabled: ({ enabled }) => enabled,
  disabledByAdmin: ({ disabledByAdmin }) => disabledByAdmin,
  remaining: ({ remaining }) => remaining,
  lastRequest: ({ lastRequest }) => lastRequest,
  expiresAt: ({ expiresAt }) => expiresAt,
  createdAt: ({ createdAt }) => createdAt,
};
