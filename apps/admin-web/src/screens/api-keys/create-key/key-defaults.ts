import type { KeyDefaults } from "./draft-limits.ts";

type Option = { readonly name: string; readonly value: unknown };

const isNumber = (value: unknown): value is number => typeof value === "number";

const permissionsOf = (value: unknown): KeyDefaults["permissions"] => {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? (value as KeyDefaults["permissions"]) : undefined;
};

/** Reads the defaults for new keys from the options. A default that is a function is unknown, because it decides per key. */
export const defaultsOf = (options: readonly Option[]): KeyDefaults => {
  const values = new Map(options.map(({ name, value }) => [name, value]));
  const [max, windowMs, lifetime] = [
    values.get("apiKey.rateLimit.maxRequests"),
    values.get("apiKey.rateLimit.timeWindow"),
    values.get("apiKey.keyExpiration.defaultExpiresIn"),
  ];
  const isLimited = values.get("apiKey.rateLimit.enabled") !== false;
  const own = isNumber(max) && isNumber(windowMs) ? { max, windowMs } : undefined;
  return {
    rate: isLimited ? own : null,
    lifetime: isNumber(lifetime) || lifetime === null ? lifetime : undefined,
    permissions: permissionsOf(values.get("apiKey.permissions.defaultPermissions")),
  };
};
