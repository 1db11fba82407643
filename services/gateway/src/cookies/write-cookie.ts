import { isIP } from "node:net";
import type { SerializeOptions } from "@fastify/cookie";
import { keptCookies } from "@latchkey/contracts";
import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import { basePathOf } from "@latchkey/service-kit/config";
import type { FastifyInstance } from "fastify";
import { convertEach, parseCookieValues } from "./cookie-values.ts";
import {
  type Cookie,
  type CookieConfig,
  type CookieName,
  describeCookie,
} from "./describe-cookie.ts";

/** Writes the Set-Cookie headers of one response. Without `maxAge`, the cookie ends with the browser. */
export interface CookieWriter {
  set(name: CookieName, value: string, maxAge: number | undefined): string[];
  clear(name: CookieName): string[];
}

/** Cookies whose value changes in ordinary use. Of several of them, each is tried wherever it is read. */
const renewed: ReadonlySet<CookieName> = new Set([
  "session_data",
  "state",
  "mailed_link",
  keptCookies.trustedDevice,
]);

const asItIs = (value: string) => value;

const serialize = (
  app: FastifyInstance,
  { name, attributes }: Cookie,
  { value, maxAge }: { value: string; maxAge: number | undefined },
): string => {
  const { partitioned, ...rest } = attributes;
  const lifetime = maxAge === undefined ? {} : { maxAge };
  // Signed values are already percent-encoded. The schema's types allow undefined for absent members.
  const options = { ...rest, ...lifetime, encode: asItIs } as SerializeOptions;
  const cookie = app.serializeCookie(name, value, options);
  return partitioned ? `${cookie}; Partitioned` : cookie; // last, as existing clients expect
};

/** Returns the domains under which our host could have set a cookie. Browsers ignore those that are public suffixes. */
const domainsOf = ({ baseURL, advanced }: CookieConfig): string[] => {
  const host = baseURL === undefined ? "" : new URL(baseURL).hostname;
  const labels = isIP(host) === 0 && !host.startsWith("[") ? host.split(".") : [];
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  const { domain } = advanced.crossSubDomainCookies;
  return [...new Set(domain === undefined ? parents : [domain, ...parents])];
};

const withForm = (
  { name, attributes: { domain: _, ...attributes } }: Cookie,
  { path, domain }: { path: string; domain: string | undefined },
): Cookie => ({
  name,
  attributes: { ...attributes, path, ...(domain === undefined ? {} : { domain }) },
});

/** Returns a cookie with other values of Domain and Path, which a browser stores beside the configured one. */
const otherForms = (
  cookie: Cookie,
  domains: readonly string[],
  paths: readonly string[],
): Cookie[] => {
  if (/^__host-/i.test(cookie.name)) return []; // has only one form
  const { path = "/", domain } = cookie.attributes;
  const forms = [...new Set([path, ...paths])].flatMap((other) =>
    [undefined, ...domains].map((one) => ({ path: other, domain: one })),
  );
  return forms
    .filter((form) => form.path !== path || form.domain !== domain)
    .map((form) => withForm(cookie, form));
};

/**
 * Creates the writer for a browser that sent a `Cookie` header. After a change of the configured Domain or Path, a browser may hold an
 * older cookie beside the new one and send it first. A cookie that replaces or ends another one therefore clears those forms too, except
 * if one of them is not signed by us. That one may belong to another installation in the same domain.
 */
export const createCookieWriter = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
): ((header: string | undefined) => CookieWriter) => {
  const domains = domainsOf(config);
  const everyPath = ["/", basePathOf({ baseURL: config.baseURL, basePath: config.basePath ?? "" })];
  const clear = (cookie: Cookie) => serialize(app, cookie, { value: "", maxAge: 0 });
  /** The cookie cache is signed in another way, and losing one costs a look-up only. */
  const readOurs = (name: CookieName, value: string) =>
    name === "session_data" ? value : verifySignedValue(ring, value);

  return (header) => {
    const valuesOf = parseCookieValues(app, header);

    /** Clears the other forms if the browser holds several of them, or one whose value differs from the next one. */
    const clearOthers = (cookie: Cookie, name: CookieName, next: string | undefined): string[] => {
      const sent = valuesOf(cookie.name);
      const ours = convertEach(sent, (value) => readOurs(name, value));
      const isRepeated = sent.length > 1;
      const areOurs = sent.every((value) => readOurs(name, value) !== undefined);
      const isReplaced = next !== undefined && ours.length > 0 && ours[0] !== readOurs(name, next);
      if (!areOurs || !(isRepeated || (isReplaced && !renewed.has(name)))) return [];
      return otherForms(cookie, domains, isRepeated ? everyPath : ["/"]).map(clear);
    };

    return {
      set: (name, value, maxAge) => {
        const cookie = describeCookie(config, name);
        return [...clearOthers(cookie, name, value), serialize(app, cookie, { value, maxAge })];
      },
      clear: (name) => {
        const cookie = describeCookie(config, name);
        const { domain, path = "/" } = cookie.attributes;
        const hostOnly = withForm(cookie, { path, domain: undefined });
        const both = domain === undefined ? [cookie] : [cookie, hostOnly];
        return [...new Set([...both.map(clear), ...clearOthers(cookie, name, undefined)])];
      },
    };
  };
};
