import type { operations } from "@latchkey/contracts";
import { type Handlers, listAudit } from "@latchkey/service-kit";
import { banUser } from "./admin/ban-user.ts";
import { checkFirstRun } from "./admin/check-first-run.ts";
import { completeFirstRun } from "./admin/complete-first-run.ts";
import { createUser } from "./admin/create-user.ts";
import { getUser } from "./admin/get-user.ts";
import { hasPermissionAsAdmin } from "./admin/has-permission.ts";
import { impersonateUser } from "./admin/impersonate-user.ts";
import { listPermissions } from "./admin/list-permissions.ts";
import { listUserSessions } from "./admin/list-user-sessions.ts";
import { listUsers } from "./admin/list-users.ts";
import { readUser } from "./admin/read-user.ts";
import { removeUser } from "./admin/remove-user.ts";
import { revokeUserSession } from "./admin/revoke-user-session.ts";
import { revokeUserSessions } from "./admin/revoke-user-sessions.ts";
import { sendPasswordReset } from "./admin/send-password-reset.ts";
import { setRole } from "./admin/set-role.ts";
import { setUserPassword } from "./admin/set-user-password.ts";
import { stopImpersonating } from "./admin/stop-impersonating.ts";
import { unbanUser } from "./admin/unban-user.ts";
import { updateUser } from "./admin/update-user.ts";
import { verifyUserEmail } from "./admin/verify-user-email.ts";
import { schema } from "./db/schema.ts";
import type { Deps } from "./deps.ts";
import { discardMessage } from "./queues/discard-message.ts";
import { listFailedMessages } from "./queues/list-failed-messages.ts";
import { listQueues } from "./queues/list-queues.ts";
import { retryMessage } from "./queues/retry-message.ts";
import { readIdentityStatistics } from "./statistics/read-identity-statistics.ts";
import { adminListSigningKeys } from "./tokens/admin-list-signing-keys.ts";
import { adminRotateSigningKeys } from "./tokens/admin-rotate-signing-keys.ts";

/** Maps the admin operations to their handlers. */
export const createAdminHandlers = (deps: Deps) =>
  ({
    adminSetRole: (call) => setRole(deps, call),
    adminCreateUser: (call) => createUser(deps, call),
    adminListUsers: (call) => listUsers(deps, call),
    adminReadUser: (call) => readUser(deps, call),
    adminUpdateUser: (call) => updateUser(deps, call),
    adminListUserSessions: (call) => listUserSessions(deps, call),
    adminBanUser: (call) => banUser(deps, call),
    adminUnbanUser: (call) => unbanUser(deps, call),
    adminImpersonateUser: (call) => impersonateUser(deps, call),
    adminStopImpersonating: (call) => stopImpersonating(deps, call),
    adminRevokeUserSession: (call) => revokeUserSession(deps, call),
    adminRevokeUserSessions: (call) => revokeUserSessions(deps, call),
    adminRemoveUser: (call) => removeUser(deps, call),
    adminSetUserPassword: (call) => setUserPassword(deps, call),
    adminGetUser: (call) => getUser(deps, call),
    adminVerifyUserEmail: (call) => verifyUserEmail(deps, call),
    adminSendPasswordReset: (call) => sendPasswordReset(deps, call),
    adminReadIdentityStatistics: (call) => readIdentityStatistics(deps, call),
    adminListSigningKeys: (call) => adminListSigningKeys(deps, call),
    adminRotateSigningKeys: (call) => adminRotateSigningKeys(deps, call),
    adminListIdentityAudit: (call) => listAudit({ ...deps, schema }, call),
    checkFirstRun: (call) => checkFirstRun(deps, call),
    completeFirstRun: (call) => completeFirstRun(deps, call),
    adminHasPermission: (call) => hasPermissionAsAdmin(deps, call),
    adminListPermissions: (call) => listPermissions(deps, call),
    adminListQueues: () => listQueues(deps),
    adminListFailedMessages: (call) => listFailedMessages(deps, call),
    adminRetryMessage: (call) => retryMessage(deps, call),
    adminDiscardMessage: (call) => discardMessage(deps, call),
  }) satisfies Partial<Handlers<typeof operations.identity>>;
