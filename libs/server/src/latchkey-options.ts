import { checkTimeout, checkUrl } from "./http/check-options.ts";
import type { CookieNames } from "./requests/own-cookies.ts";
import type { TokenRules } from "./tokens/verify-token.ts";

export interface LatchkeyOptions {
  /** The base URL of Latchkey with its path, such as `https://auth.example.com/api/auth`. */
  url: string | URL;
  /** How signed tokens are verified. */
  tokens?:
    | {
        /** Default: each issuer that Latchkey's published keys sign, so that `url` may be an internal address. */
        issuer?: string | readonly string[] | undefined;
        /** Default: the issuer of the token. One of them must be in the token. Set it if Latchkey has the option `jwt.jwt.audience`. */
        audience?: string | readonly string[] | undefined;
        /** By how much the clocks may differ. Default: 30. */
        clockToleranceSeconds?: number | undefined;
        /** For how long the published keys are used without another fetch. Default: 600. */
        keysMaxAgeSeconds?: number | undefined;
      }
    | undefined;
  /** Needed by `verifyApiKey`. */
  apiKeys?:
    | {
        /** The URL of the apikey service, not of the gateway, or the URLs of its replicas. */
        url: string | URL | readonly (string | URL)[];
        /** One of Latchkey's `serviceTokens`. */
        token: string;
      }
    | undefined;
  /**
   * One of Latchkey's `serviceTokens`. Requests for sessions then count for your service, by `rateLimit.services`, and not for the
   * address of your server, which all of its users share.
   */
  serviceToken?: string | undefined;
  /** Latchkey's `advanced.cookiePrefix`. Default: `auth`. Only such cookies are sent to Latchkey. */
  cookiePrefix?: string | undefined;
  /** Names of Latchkey's cookies that have another prefix (`advanced.cookies`). */
  cookieNames?: readonly string[] | undefined;
  /** For each call, including its retries. Default: 3,000. */
  timeoutMilliseconds?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Returns the milliseconds since 1970. Default: `Date.now`. */
  clock?: (() => number) | undefined;
}

/** Validated options, with defaults. */
export interface LatchkeySettings {
  /** Without a slash at its end. */
  url: string;
  rules: TokenRules;
  keysMaxAgeMilliseconds: number;
  cookies: CookieNames;
  serviceToken: string | undefined;
  timeoutMilliseconds: number;
  fetch: typeof globalThis.fetch | undefined;
  clock: () => number;
}

const listOf = (value: string | readonly string[], option: string): readonly string[] => {
  const list = [value].flat();
  if (list.length === 0 || !list.every((entry) => typeof entry === "string" && entry !== ""))
    throw new TypeError(`${option}: must be text, or a list of texts`);
  return list;
};

const secondsOf = (value: number, option: string): number => {
  if (!(value >= 0 && Number.isFinite(value)))
    throw new TypeError(`${option}: must be a number of seconds`);
  return value;
};

/** Returns the token if a header can carry it. */
const serviceTokenOf = ({ serviceToken }: LatchkeyOptions): string | undefined => {
  if (serviceToken !== undefined && !/^[\x20-\x7e]+$/.test(serviceToken))
    throw new TypeError("serviceToken: must be a line of ASCII text");
  return serviceToken;
};

/** Validates the options. Throws `TypeError` for invalid ones. */
export const checkLatchkeyOptions = (options: LatchkeyOptions): LatchkeySettings => {
  const { tokens = {}, cookiePrefix = "auth", cookieNames = [] } = options;
  const { timeoutMilliseconds = 3_000, fetch, clock = Date.now } = options;
  const url = checkUrl(options.url);
  const { issuer, audience = issuer, clockToleranceSeconds = 30, keysMaxAgeSeconds = 600 } = tokens;
  return {
    url,
    rules: {
      issuers: issuer === undefined ? undefined : listOf(issuer, "tokens.issuer"),
      audiences: audience === undefined ? undefined : listOf(audience, "tokens.audience"),
      clockToleranceSeconds: secondsOf(clockToleranceSeconds, "tokens.clockToleranceSeconds"),
    },
    keysMaxAgeMilliseconds: secondsOf(keysMaxAgeSeconds, "tokens.keysMaxAgeSeconds") * 1_000,
    cookies: { prefix: cookiePrefix, names: cookieNames },
    serviceToken: serviceTokenOf(options),
    timeoutMilliseconds: checkTimeout(timeoutMilliseconds),
    fetch,
    clock,
  };
};
