import {
  additionalFieldsOf,
  type Caller,
  type OrganizationFieldKind,
  organizationFieldKinds,
  type RequestOrigin,
} from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import type { FieldTable } from "@latchkey/service-kit/fields";
import { schema } from "./db/tables.ts";

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
  additionalFields: additionalFieldsOf(options),
  database: options.advanced.database,
});

export type OrganizationConfig = ReturnType<typeof readOrganizationConfig>;

/** Returns the path of the option that names a table and its additional fields. */
export const optionOf = (table: OrganizationFieldKind) => `organization.schema.${table}`;

/** Returns the tables with additional fields. */
export const fieldTables = ({
  additionalFields,
}: Pick<OrganizationConfig, "additionalFields">): FieldTable[] =>
  organizationFieldKinds.map((table) => ({
    schema,
    table,
    option: optionOf(table),
    fields: additionalFields[table],
  }));

/** Returns the origin of a request for functions of the options. */
export const requestOrigin = ({ baseUrl, address, userAgent }: Caller): RequestOrigin => ({
  baseURL: baseUrl,
  address,
  userAgent,
});
