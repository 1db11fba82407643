import type { operations } from "@latchkey/contracts";
import { applyEvent, type Handlers, listAudit } from "@latchkey/service-kit";
import { adminCreateApiKey } from "./admin/admin-create-api-key.ts";
import { adminDeleteApiKey } from "./admin/admin-delete-api-key.ts";
import { adminDisableApiKey, adminEnableApiKey } from "./admin/admin-disable-api-key.ts";
import { adminGetApiKey } from "./admin/admin-get-api-key.ts";
import { adminListApiKeys } from "./admin/admin-list-api-keys.ts";
import { createConsumers } from "./consumers.ts";
import { schema } from "./db/schema.ts";
import type { Deps } from "./deps.ts";
import { createApiKey, createApiKeyFor } from "./keys/create-api-key.ts";
import { deleteApiKey } from "./keys/delete-api-key.ts";
import { deleteExpiredApiKeys } from "./keys/delete-expired-api-keys.ts";
import { getApiKey } from "./keys/get-api-key.ts";
import { listApiKeys } from "./keys/list-api-keys.ts";
import { updateApiKey, updateApiKeyFor } from "./keys/update-api-key.ts";
import { adminReadApiKeyStatistics } from "./usage/admin-read-api-key-statistics.ts";
import { adminReadApiKeyUsage, readApiKeyUsage } from "./usage/read-api-key-usage.ts";
import { openKeySession } from "./verification/open-key-session.ts";
import { verifyKey } from "./verification/verify-key.ts";

/** Maps each operation to its handler. */
export const createHandlers = (deps: Deps): Handlers<typeof operations.apikey> => ({
  createApiKey: (call) => createApiKey(deps, call),
  createApiKeyFor: (call) => createApiKeyFor(deps, call),
  getApiKey: (call) => getApiKey(deps, call),
  listApiKeys: (call) => listApiKeys(deps, call),
  updateApiKey: (call) => updateApiKey(deps, call),
  updateApiKeyFor: (call) => updateApiKeyFor(deps, call),
  deleteApiKey: (call) => deleteApiKey(deps, call),
  deleteExpiredApiKeys: () => deleteExpiredApiKeys(deps),
  readApiKeyUsage: (call) => readApiKeyUsage(deps, call),
  verifyApiKey: (call) => verifyKey(deps, call),
  applyApiKeyEvent: (call) => applyEvent(createConsumers(deps), call),
  openKeySession: (call) => openKeySession(deps, call),
  adminListApiKeys: (call) => adminListApiKeys(deps, call),
  adminGetApiKey: (call) => adminGetApiKey(deps, call),
  adminCreateApiKey: (call) => adminCreateApiKey(deps, call),
  adminReadApiKeyStatistics: (call) => adminReadApiKeyStatistics(deps, call),
  adminReadApiKeyUsage: (call) => adminReadApiKeyUsage(deps, call),
  adminDisableApiKey: (call) => adminDisableApiKey(deps, call),
  adminEnableApiKey: (call) => adminEnableApiKey(deps, call),
  adminDeleteApiKey: (call) => adminDeleteApiKey(deps, call),
  adminListApiKeyAudit: (call) => listAudit({ ...deps, schema }, call),
});
