import {
  createAuditList,
  createEventApplier,
  findByEmailRemotely,
  type OperationHandlers,
} from "@latchkey/service-kit";
import { adminCreateApiKey } from "./admin/admin-create-api-key.ts";
import { adminDeleteApiKey } from "./admin/admin-delete-api-key.ts";
import { adminDisableApiKey, adminEnableApiKey } from "./admin/admin-disable-api-key.ts";
import { adminGetApiKey } from "./admin/admin-get-api-key.ts";
import { adminListApiKeys } from "./admin/admin-list-api-keys.ts";
import { adminRerollApiKey } from "./admin/admin-reroll-api-key.ts";
import { adminUpdateApiKey } from "./admin/admin-update-api-key.ts";
import { consumers } from "./consumers.ts";
import type { Deps } from "./deps.ts";
import { createApiKey, createApiKeyFor } from "./keys/create-api-key.ts";
import { deleteApiKey } from "./keys/delete-api-key.ts";
import { deleteExpiredApiKeys } from "./keys/delete-expired-api-keys.ts";
import { getApiKey } from "./keys/get-api-key.ts";
import { listApiKeys } from "./keys/list-api-keys.ts";
import { rerollApiKey } from "./keys/reroll-api-key.ts";
import { updateApiKey, updateApiKeyFor } from "./keys/update-api-key.ts";
import { adminReadApiKeyStatistics } from "./usage/admin-read-api-key-statistics.ts";
import { adminReadApiKeyUsage, readApiKeyUsage } from "./usage/read-api-key-usage.ts";
import { openKeySession } from "./verification/open-key-session.ts";
import { verifyKey } from "./verification/verify-key.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"apikey", Deps> = {
  createApiKey,
  createApiKeyFor,
  getApiKey,
  listApiKeys,
  updateApiKey,
  updateApiKeyFor,
  rerollApiKey,
  deleteApiKey,
  deleteExpiredApiKeys,
  readApiKeyUsage,
  verifyApiKey: verifyKey,
  applyApiKeyEvent: createEventApplier(consumers),
  openKeySession,
  adminListApiKeys,
  adminGetApiKey,
  adminCreateApiKey,
  adminUpdateApiKey,
  adminRerollApiKey,
  adminReadApiKeyStatistics,
  adminReadApiKeyUsage,
  adminDisableApiKey,
  adminEnableApiKey,
  adminDeleteApiKey,
  adminListApiKeyAudit: createAuditList(findByEmailRemotely),
};
