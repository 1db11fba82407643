import type { Operation } from "./operation.ts";
import { apiKeyOperations } from "./operations/apikey.ts";
import { gatewayOperations } from "./operations/gateway.ts";
import { identityOperations } from "./operations/identity.ts";
import { mailerOperations } from "./operations/mailer.ts";
import { organizationOperations } from "./operations/organization.ts";
import { webhookOperations } from "./operations/webhooks.ts";

/** Every operation, by owner. */
export const operations = {
  gateway: gatewayOperations,
  identity: identityOperations,
  organization: organizationOperations,
  apikey: apiKeyOperations,
  mailer: mailerOperations,
  webhooks: webhookOperations,
} as const;

/** Every operation in one list. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((owned) =>
  Object.values(owned),
);
