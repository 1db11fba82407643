import type { Caller, RequestOrigin } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";

/** Returns the settings that the organization service uses. */
export const readOrganizationConfig = ({ options }: Pick<Settings, "options">) => ({
  organization: options.organization,
  twoFactor: { enabled: options.twoFactor.enabled },
  /** Whether organizations own API keys, which end with them. */
  hasApiKeys: options.apiKey.organizationKeys.enabled,
  admin: options.admin,
  recordsEvents: options.webhooks.enabled,
  baseURL: options.baseURL,
  appURL: options.appURL,
  additionalFields: { user: options.user.additionalFields },
  database: options.advanced.database,
});

export type OrganizationConfig = ReturnType<typeof readOrganizationConfig>;

/** Returns the origin of a request for functions of the options. */
export const requestOrigin = ({ baseUrl, address, userAgent }: Caller): RequestOrigin => ({
  baseURL: baseUrl,
  address,
  userAgent,
});
