import type { KeyDefaults } from "./draft-limits.ts";

type Option = { readonly name: string; readonly value: unknown };

const isNumber = (value: unknown): value is number => typeof value === "number";

const permissionsOf = (value: unknown): KeyDefaults["permissions"] => {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? (value as KeyDefaults["permissions"]) : undefined;
};

/** What options say of new keys; a function says it of each key anew. */
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
