import { createAuditList, findByEmailRemotely } from "@latchkey/service-kit/audit";
import type { OperationHandlers } from "@latchkey/service-kit/run";
import {
  adminEndFormerOauthSecret,
  adminGetOauthClient,
  adminListOauthClients,
  adminListOauthConsents,
  adminWithdrawOauthConsents,
} from "./clients/admin.ts";
import {
  createOauthClient,
  deleteOauthClient,
  getOauthClient,
  listOauthClients,
  rotateOauthClientSecret,
  updateOauthClient,
} from "./clients/operations.ts";
import { createOauthRegistrationToken, oauthRegister } from "./clients/registration.ts";
import {
  deleteOauthConsent,
  getOauthConsent,
  getOauthPublicClient,
  listOauthConsents,
  oauthConsent,
  oauthContinue,
  updateOauthConsent,
} from "./consents/operations.ts";
import type { Deps } from "./deps.ts";
import { approveDevice, denyDevice, getDevice } from "./devices/decisions.ts";
import { deviceCode, deviceToken } from "./devices/protocol.ts";
import { confirmOauthLogout, oauthEndSession, oauthEndSessionByForm } from "./sign-in/logout.ts";
import {
  oauthAuthorize,
  oauthAuthorizeByForm,
  oauthIntrospect,
  oauthJwks,
  oauthMetadata,
  oauthPar,
  oauthRevoke,
  oauthToken,
  oauthUserinfo,
  oauthUserinfoByForm,
} from "./sign-in/protocol.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"oauth", Deps> = {
  oauthMetadata,
  oauthJwks,
  oauthAuthorize,
  oauthAuthorizeByForm,
  oauthPar,
  oauthToken,
  oauthRegister,
  oauthIntrospect,
  oauthRevoke,
  oauthUserinfo,
  oauthUserinfoByForm,
  oauthEndSession,
  oauthEndSessionByForm,
  confirmOauthLogout,
  oauthConsent,
  oauthContinue,
  getOauthPublicClient,
  listOauthConsents,
  getOauthConsent,
  updateOauthConsent,
  deleteOauthConsent,
  deviceCode,
  deviceToken,
  getDevice,
  approveDevice,
  denyDevice,
  createOauthClient,
  getOauthClient,
  listOauthClients,
  updateOauthClient,
  rotateOauthClientSecret,
  createOauthRegistrationToken,
  deleteOauthClient,
  adminListOauthClients,
  adminGetOauthClient,
  adminEndFormerOauthSecret,
  adminListOauthConsents,
  adminWithdrawOauthConsents,
  adminListOauthAudit: createAuditList(findByEmailRemotely),
};
