import type { CookieAttributes } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";

export type CookieName =
  | "session_token"
  | "session_data"
  | "dont_remember"
  | "admin_session"
  | "state";
/** The options that shape cookies. */
export type CookieConfig = Pick<GatewayConfig, "advanced"> &
  Partial<Pick<GatewayConfig, "baseURL">>;

export interface Cookie {
  name: string;
  attributes: CookieAttributes & { secure: boolean };
}

/** The name and attributes of one of our cookies, as the options have them. */
export const describeCookie = (config: CookieConfig, name: CookieName): Cookie => {
  const { advanced, baseURL } = config;
  const secure = advanced.useSecureCookies ?? baseURL?.startsWith("https://") ?? false;
  const override = advanced.cookies[name];
  const { crossSubDomainCookies: shared } = advanced;
  // A browser that a provider sends back brings no strict cookie along.
  const isBroughtBack = name === "state" && advanced.defaultCookieAttributes.sameSite === "strict";
  const domain = shared.enabled ? (shared.domain ?? new URL(baseURL ?? "").hostname) : undefined;
  return {
    name: `${secure ? "__Secure-" : ""}${override?.name ?? `${advanced.cookiePrefix}.${name}`}`,
    attributes: {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      ...(domain ? { domain } : {}),
      ...advanced.defaultCookieAttributes,
      ...(isBroughtBack ? { sameSite: "lax" } : {}),
      ...override?.attributes,
      secure, // goes with the name's prefix
    },
  };
};
