import { installationAdminOperations } from "./gateway/admin-installation.ts";
import { serviceOperations } from "./gateway/service.ts";

/** The operations that the gateway handles itself. */
export const gatewayOperations = {
  ...serviceOperations,
  ...installationAdminOperations,
} as const;
