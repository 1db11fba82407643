import type { IncomingHttpHeaders } from "node:http";
import {
  type KeptChanges,
  keptCookies,
  keptListSeparator,
  type KeptName,
  keptNames,
  type KeptValues,
  twoFactorRequestHeader,
} from "@latchkey/contracts";
import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { convertEach, parseCookieValues } from "./cookie-values.ts";
import { type Cookie, type CookieConfig, describeCookie } from "./describe-cookie.ts";
import type { CookieWriter } from "./write-cookie.ts";

interface Needs {
  config: CookieConfig;
  ring: SecretRing;
}

const describeKept = (config: CookieConfig): Record<KeptName, Cookie> =>
  Object.fromEntries(
    keptNames.map((name) => [name, describeCookie(config, keptCookies[name])]),
  ) as Record<KeptName, Cookie>; // has every name

/** The text that is signed. It names its kind, so that a value of one cookie never fits another. */
const textOf = (name: KeptName, value: string): string => `${name}:${value}`;

/** Reads the named values of a request. With `fromHeader`, a client without cookies may send `twoFactor` in a header. */
export type ReadKept = (
  names: readonly KeptName[],
  headers: IncomingHttpHeaders,
  options: { fromHeader: boolean },
) => KeptValues;

/** Creates the reader of kept values. A value that was not signed for its name counts as absent. */
export const createKeptCookieReader = (app: FastifyInstance, { config, ring }: Needs): ReadKept => {
  const cookies = describeKept(config);
  const open = (name: KeptName, signed: string): string | undefined => {
    const text = verifySignedValue(ring, signed);
    const lead = textOf(name, "");
    return text?.startsWith(lead) ? text.slice(lead.length) : undefined;
  };
  return (names, headers, { fromHeader }) => {
    const valuesOf = parseCookieValues(app, headers.cookie);
    const header = headers[twoFactorRequestHeader];
    const keptValues: KeptValues = {};
    for (const name of names) {
      const sent = valuesOf(cookies[name].name);
      const isInHeader = name === "twoFactor" && fromHeader && typeof header === "string";
      const signed = sent.length === 0 && isInHeader ? [header] : sent;
      const values = convertEach(signed, (one) => open(name, one));
      const [first] = values;
      if (first === undefined) continue;
      keptValues[name] = name === "trustedDevice" ? values.join(keptListSeparator) : first;
    }
    return keptValues;
  };
};

/** Set-Cookie headers of kept values. */
export interface SetKept {
  cookies: string[];
  /** The signed `twoFactor` value as in the cookie, if one was set. */
  signedTwoFactor?: string;
}

/** Creates the writer of kept values. */
export const createKeptCookieWriter =
  (ring: SecretRing) =>
  (writer: CookieWriter, changes: KeptChanges): SetKept => {
    const set: SetKept = { cookies: [] };
    for (const name of keptNames) {
      const change = changes[name];
      if (change === undefined) continue;
      const cookie = keptCookies[name];
      if (change === null) {
        set.cookies.push(...writer.clear(cookie));
        continue;
      }
      const signed = signValue(ring, textOf(name, change.value));
      set.cookies.push(...writer.set(cookie, signed, change.maxAgeSeconds));
      if (name === "twoFactor") set.signedTwoFactor = signed;
    }
    return set;
  };
