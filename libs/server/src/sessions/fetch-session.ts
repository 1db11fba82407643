import { fetchJson } from "../http/fetch-json.ts";
import { isObject } from "../is-object.ts";
import { LatchkeyError } from "../latchkey-error.ts";
import type { LatchkeySettings } from "../latchkey-options.ts";
import type { AdditionalFields, LiveSession, SignedOut } from "./session.ts";

/** The parts of a request that identify its user. */
export interface Credentials {
  cookie: string | undefined;
  /** A whole Authorization header. */
  authorization: string | undefined;
}

export interface FetchSessionOptions {
  /** Whether Latchkey may extend the session. Default: true. Set it to false where the cookies cannot be handed back. */
  refresh?: boolean | undefined;
  /** The address of the user, for rate limits. Latchkey uses it only if this server is one of its `TRUSTED_PROXIES`. */
  clientAddress?: string | undefined;
  /** Aborts before the deadline. */
  signal?: AbortSignal | undefined;
}

/** Returns a result without a user. */
export const signedOut = (
  refusal: SignedOut["refusal"],
  setCookies: readonly string[] = [],
): SignedOut => ({
  isSignedIn: false,
  refusal,
  source: null,
  userId: null,
  user: null,
  session: null,
  claims: null,
  setCookies,
});

const headersOf = (
  { serviceToken }: LatchkeySettings,
  { cookie, authorization }: Credentials,
  { clientAddress }: FetchSessionOptions,
): Record<string, string> => ({
  accept: "application/json",
  ...(serviceToken === undefined ? {} : { "x-service-token": serviceToken }),
  ...(cookie === undefined ? {} : { cookie }),
  ...(authorization === undefined ? {} : { authorization }),
  ...(clientAddress === undefined ? {} : { "x-forwarded-for": clientAddress }),
});

/** Reads the session from Latchkey. Rejects with a `LatchkeyError` if it gives no answer, or with the reason of the signal. */
export const fetchSession = async <Fields extends AdditionalFields>(
  settings: LatchkeySettings,
  credentials: Credentials,
  options: FetchSessionOptions,
): Promise<LiveSession<Fields> | SignedOut> => {
  const { url, timeoutMilliseconds, fetch } = settings;
  const { body, headers } = await fetchJson({
    address: `${url}/get-session${options.refresh === false ? "?disableRefresh=true" : ""}`,
    headers: headersOf(settings, credentials, options),
    timeoutMilliseconds,
    signal: options.signal,
    fetch,
  });
  const setCookies = headers.getSetCookie();
  if (body === null) return signedOut(null, setCookies);
  const { user, session } = isObject(body) ? body : {};
  if (!isObject(user) || typeof user["id"] !== "string" || !isObject(session)) {
    const message = "The answer of Latchkey is not a session: check the URL";
    throw new LatchkeyError("unexpected-response", message, { status: 200 });
  }
  const converted = { user, session } as unknown as Pick<LiveSession<Fields>, "user" | "session">;
  return {
    isSignedIn: true,
    source: "session",
    userId: user["id"],
    ...converted,
    claims: null,
    setCookies,
  };
};
