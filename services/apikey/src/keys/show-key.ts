import type { ApiKey, Caller, OwnApiKey, SdkVersion } from "@latchkey/contracts";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit/database";
import { type ApiKeyRow, rowColumns } from "../db/key-row.ts";
import type { Deps } from "../deps.ts";

const decode = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
};

const pickShown = picker<ApiKey>(
  namesOf(
    withoutColumns(
      rowColumns,
      "createdBy",
      "disabledByAdmin",
      "lifetimeFrom",
      "lifetimeLocked",
      "organizationId",
      "secondFactor",
      "sessionSince",
      "successorId",
    ),
  ),
);

/** Returns a key as services and its owner see it. A key that an admin has disabled appears as disabled. */
export const showKey = (row: ApiKeyRow): ApiKey => {
  const key = pickShown(row);
  key.enabled = row.enabled && !row.disabledByAdmin;
  // Imported rows may hold JSON as a string within JSON.
  key.metadata = decode(decode(row.metadata));
  if (row.organizationId !== null) key.organizationId = row.organizationId;
  return key;
};

/** Returns a key for its owner, with its successor if it is retired. */
export const showOwnKey = (row: ApiKeyRow): OwnApiKey => {
  const { successorId } = row;
  return { ...showKey(row), ...(successorId !== null && { successorId }) };
};

/** The name by which the SDK 1.7 knows the configuration of users' keys. */
export const defaultConfigId = "default";

/** Returns the SDK whose reply format a client expects. */
export const sdkVersionOf = (
  { config }: Pick<Deps, "config">,
  { sdkVersion }: Pick<Caller, "sdkVersion">,
): SdkVersion => sdkVersion ?? config.client.version;

/** Adds the owner and the configuration to a key by their names in the SDK 1.7. */
export const shapeForNewSdk = <Key extends ApiKey>(
  { config }: Pick<Deps, "config">,
  key: Key,
): Key & { referenceId?: string; configId?: string } => {
  const { userId, organizationId } = key;
  if (organizationId === undefined)
    return { ...key, ...(userId !== null && { referenceId: userId }), configId: defaultConfigId };
  const { configId } = config.apiKey.organizationKeys;
  return { ...key, referenceId: organizationId, configId };
};

/** Converts a key to the format of the client's SDK. */
export const shapeForSdk = <Key extends ApiKey>(
  deps: Pick<Deps, "config">,
  caller: Pick<Caller, "sdkVersion">,
  key: Key,
): Key & { referenceId?: string; configId?: string } =>
  sdkVersionOf(deps, caller) === "1.7" ? shapeForNewSdk(deps, key) : key;

/** The fields that the audit records of a new key. */
export const auditedMembers = [
  "userId",
  "organizationId",
  "name",
  "prefix",
  "expiresAt",
  "remaining",
  "refillAmount",
  "refillInterval",
  "rateLimitEnabled",
  "rateLimitMax",
  "rateLimitTimeWindow",
  "permissions",
  "secondFactor",
] as const satisfies readonly (keyof ApiKeyRow)[];

/** Returns the fields of a key for the audit. Metadata may hold anything, so the audit records only that it changed. */
export const auditedKey = (
  row: ApiKeyRow,
  members: readonly (keyof ApiKeyRow)[],
): Record<string, unknown> =>
  Object.fromEntries(
    members.map((member) => [member, member === "metadata" ? "changed" : row[member]]),
  );
