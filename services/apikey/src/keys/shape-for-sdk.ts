import type { ApiKey, Caller, SdkVersion } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** There is one configuration of keys, and the SDK 1.7 knows it by this name. */
export const defaultConfigId = "default";

/** Returns the SDK whose reply format a client expects. */
export const sdkVersionOf = (
  { config }: Pick<Deps, "config">,
  { sdkVersion }: Pick<Caller, "sdkVersion">,
): SdkVersion => sdkVersion ?? config.apiKey.defaultSDKVersion;

/** Converts a key to the format of an SDK. Version 1.7 has different names for the owner and the configuration. */
export const shapeForSdk = <Key extends ApiKey>(
  version: SdkVersion,
  key: Key,
): Key & { referenceId?: string; configId?: string } =>
  version === "1.7" ? { ...key, referenceId: key.userId, configId: defaultConfigId } : key;
