import { createAuditList, findByEmailRemotely } from "@latchkey/service-kit/audit";
import { createEventApplier } from "@latchkey/service-kit/events";
import type { OperationHandlers } from "@latchkey/service-kit/run";
import {
  adminCreateApiKey,
  adminDeleteApiKey,
  adminDisableApiKey,
  adminEnableApiKey,
  adminGetApiKey,
  adminListApiKeys,
  adminRerollApiKey,
  adminUpdateApiKey,
} from "./admin/keys.ts";
import { consumers } from "./consumers.ts";
import type { Deps } from "./deps.ts";
import {
  createApiKey,
  createApiKeyFor,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  rerollApiKey,
  updateApiKey,
  updateApiKeyFor,
} from "./keys/operations.ts";
import { deleteExpiredApiKeys } from "./keys/end-keys.ts";
import {
  adminReadApiKeyStatistics,
  adminReadApiKeyUsage,
  readApiKeyUsage,
} from "./usage/operations.ts";
import { openKeySession, verifyKey } from "./verification/operations.ts";

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
