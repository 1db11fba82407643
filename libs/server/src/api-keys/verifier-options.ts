import { checkTimeout, checkUrl } from "../http/check-options.ts";

export interface VerifierOptions {
  /** The URL of the apikey service, or the URLs of its replicas. */
  url: string | URL | readonly (string | URL)[];
  /** The service token that authenticates the calling service. */
  token: string;
  /** For a whole verification, including its retry. */
  timeoutMilliseconds?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Validated options. */
export interface VerifierSettings {
  /** The URL of the operation at each replica, at least one. */
  addresses: readonly string[];
  token: string;
  timeoutMilliseconds: number;
  fetch: typeof globalThis.fetch | undefined;
}

const path = "/internal/api-key/verify";
const defaultTimeoutMilliseconds = 2_000;

/** The characters that a header can carry. */
const isToken = (token: unknown): token is string =>
  typeof token === "string" && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(token);

/** Validates the options. Throws `TypeError` for invalid ones; its message holds no secret. */
export const checkOptions = ({
  url,
  token,
  timeoutMilliseconds = defaultTimeoutMilliseconds,
  fetch,
}: VerifierOptions): VerifierSettings => {
  const bases = typeof url === "string" || url instanceof URL ? [url] : url;
  if (!Array.isArray(bases) || bases.length === 0)
    throw new TypeError("url: must be a URL or a list of URLs");
  if (!isToken(token)) throw new TypeError("token: must be a service token");
  return {
    addresses: bases.map((base: string | URL) => checkUrl(base) + path),
    token,
    timeoutMilliseconds: checkTimeout(timeoutMilliseconds),
    fetch,
  };
};
