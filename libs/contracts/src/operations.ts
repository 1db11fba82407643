import type { Operation } from "./operation.ts";
import { apiKeyAdminOperations } from "./operations/apikey/admin.ts";
import { internalApiKeyOperations } from "./operations/apikey/internal.ts";
import { ownApiKeyOperations } from "./operations/apikey/own.ts";
import { auditOperations } from "./operations/audit.ts";
import { installationAdminOperations } from "./operations/gateway/admin-installation.ts";
import { serviceOperations } from "./operations/gateway/service.ts";
import { identityOperations } from "./operations/identity.ts";
import { deliveryAdminOperations } from "./operations/mailer/admin-deliveries.ts";
import { organizationOperations } from "./operations/organization.ts";
import { oauthAdminOperations, oauthClientOperations } from "./operations/oauth/clients.ts";
import { oauthConsentOperations } from "./operations/oauth/consents.ts";
import { oauthDeviceOperations } from "./operations/oauth/devices.ts";
import { oauthProtocolOperations } from "./operations/oauth/protocol.ts";
import { webhookAdminOperations } from "./operations/webhooks/admin.ts";
import { organizationWebhookOperations } from "./operations/webhooks/organization.ts";

/** The operations that the gateway handles itself. */
const gatewayOperations = {
  ...serviceOperations,
  ...installationAdminOperations,
} as const;

/** Every operation that the apikey service owns. */
const apiKeyOperations = {
  ...ownApiKeyOperations,
  ...apiKeyAdminOperations,
  ...auditOperations.apikey,
  ...internalApiKeyOperations,
} as const;

/** The operations that the mailer owns. */
const mailerOperations = { ...deliveryAdminOperations, ...auditOperations.mailer } as const;

/** The operations that the webhooks service owns. */
const webhookOperations = {
  ...webhookAdminOperations,
  ...auditOperations.webhooks,
  ...organizationWebhookOperations,
} as const;

/** The operations that the oauth service owns. */
const oauthOperations = {
  ...oauthProtocolOperations,
  ...oauthConsentOperations,
  ...oauthClientOperations,
  ...oauthDeviceOperations,
  ...oauthAdminOperations,
  ...auditOperations.oauth,
} as const;

/** Every operation, by owner. */
export const operations = {
  gateway: gatewayOperations,
  identity: identityOperations,
  organization: organizationOperations,
  apikey: apiKeyOperations,
  mailer: mailerOperations,
  webhooks: webhookOperations,
  oauth: oauthOperations,
} as const;

/** Every operation in one list. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((owned) =>
  Object.values(owned),
);
