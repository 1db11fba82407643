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
  | (typeof keptCookies)[KeptName];
/** The options that shape cookies. */
export type CookieConfig = Pick<GatewayConfig, "advanced"> &
  Partial<Pick<GatewayConfig, "basePath" | "baseURL">>;

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

/** Returns the configured name and attributes of one of our cookies. */
export const describeCookie = (config: CookieConfig, name: CookieName): Cookie => {
  const { advanced, baseURL } = config;
  const secure = advanced.useSecureCookies ?? baseURL?.startsWith("https://") ?? false;
  const override = advanced.cookies[name];
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
