import type { ApiKey, Caller, SdkVersion } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** The name by which the SDK 1.7 knows the configuration of users' keys. */
export const defaultConfigId = "default";

/** Returns the SDK whose reply format a client expects. */
export const sdkVersionOf = (
  { config }: Pick<Deps, "config">,
  { sdkVersion }: Pick<Caller, "sdkVersion">,
): SdkVersion => sdkVersion ?? config.apiKey.defaultSDKVersion;

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
