import type { IncomingHttpHeaders } from "node:http";
import {
  type KeptChanges,
  keptCookies,
  type KeptName,
  keptNames,
  type KeptValues,
  twoFactorRequestHeader,
} from "@latchkey/contracts";
import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { type Cookie, type CookieConfig, describeCookie } from "./describe-cookie.ts";
import { createCookieSerializer } from "./serialize-cookie.ts";
import { unquoted } from "./unquoted.ts";

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
    const text = verifySignedValue(ring, unquoted(signed));
    const lead = textOf(name, "");
    return text?.startsWith(lead) ? text.slice(lead.length) : undefined;
  };
  return (names, headers, { fromHeader }) => {
    const sent = headers.cookie === undefined ? {} : app.parseCookie(headers.cookie);
    const header = headers[twoFactorRequestHeader];
    const kept: KeptValues = {};
    for (const name of names) {
      const inHeader = name === "twoFactor" && fromHeader ? header : undefined;
      const signed = sent[cookies[name].name] ?? inHeader;
      const value = typeof signed === "string" ? open(name, signed) : undefined;
      if (value !== undefined) kept[name] = value;
    }
    return kept;
  };
};

/** Set-Cookie headers of kept values. */
export interface SetKept {
  cookies: string[];
  /** The signed `twoFactor` value as in the cookie, if one was set. */
  signedTwoFactor?: string;
}

/** Creates the writer of kept values. */
export const createKeptCookieWriter = (app: FastifyInstance, { config, ring }: Needs) => {
  const cookies = describeKept(config);
  const serialize = createCookieSerializer(app);
  return (changes: KeptChanges): SetKept => {
    const set: SetKept = { cookies: [] };
    for (const name of keptNames) {
      const change = changes[name];
      if (change === undefined) continue;
      const signed = change === null ? "" : signValue(ring, textOf(name, change.value));
      set.cookies.push(serialize(cookies[name], signed, change?.maxAgeSeconds ?? 0));
      if (name === "twoFactor" && change !== null) set.signedTwoFactor = signed;
    }
    return set;
  };
};
