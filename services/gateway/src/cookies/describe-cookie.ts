import { type CookieAttributes, keptCookies, type KeptName } from "@latchkey/contracts";
import { browserPrefix } from "@latchkey/service-kit/config";
import type { GatewayConfig } from "../config.ts";

export type CookieName =
  | "session_token"
  | "session_data"
  | "dont_remember"
  | "admin_session"
  | "state"
  | "mailed_link"
  | (typeof keptCookies)[KeptName]
  | "last_login_method"
  /** A device session, by its slot. */
  | `account_${number}`
  /** A device session that better-auth has set. */
  | `session_token_multi-${string}`;
/** The options that shape cookies. */
export type CookieConfig = Pick<GatewayConfig, "advanced"> &
  Partial<Pick<GatewayConfig, "basePath" | "baseURL" | "lastLoginMethod">>;

export interface Cookie {
  name: string;
  attributes: CookieAttributes & { secure: boolean };
}

/** Cookies of requests to which a provider or a mail leads. A browser would not send strict ones. */
const broughtBack: ReadonlySet<CookieName> = new Set([
  "state",
  "mailed_link",
  keptCookies.magicLink,
  keptCookies.knownBrowser,
]);

type Configurable = keyof GatewayConfig["advanced"]["cookies"];
const isConfigurable = (config: CookieConfig, name: CookieName): name is Configurable =>
  Object.hasOwn(config.advanced.cookies, name);

/** Returns the configured name and attributes of one of our cookies. */
export const describeCookie = (config: CookieConfig, name: CookieName): Cookie => {
  const { advanced, baseURL } = config;
  if (name.startsWith("session_token_")) {
    const token = describeCookie(config, "session_token");
    return { ...token, name: token.name + name.slice("session_token".length) };
  }
  if (name === "last_login_method" && config.lastLoginMethod) {
    // Clients know this name, so it has no prefix. Their scripts read it.
    const { attributes } = describeCookie({ advanced, baseURL }, name);
    return {
      name: config.lastLoginMethod.cookieName,
      attributes: { ...attributes, httpOnly: false },
    };
  }
  const secure = advanced.useSecureCookies ?? baseURL?.startsWith("https://") ?? false;
  const override = isConfigurable(config, name) ? advanced.cookies[name] : undefined;
  const { crossSubDomainCookies: shared } = advanced;
  const isBroughtBack =
    broughtBack.has(name) && advanced.defaultCookieAttributes.sameSite === "strict";
  const plainName = override?.name ?? `${advanced.cookiePrefix}.${name}`;
  const hasPrefix = browserPrefix.test(plainName);
  const domain = shared.enabled ? (shared.domain ?? new URL(baseURL ?? "").hostname) : undefined;
  return {
    name: secure && !hasPrefix ? `__Secure-${plainName}` : plainName,
    attributes: {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      ...(domain ? { domain } : {}),
      ...advanced.defaultCookieAttributes,
      ...(isBroughtBack ? { sameSite: "lax" } : {}),
      ...override?.attributes,
      secure, // required by the name's prefix
    },
  };
};
