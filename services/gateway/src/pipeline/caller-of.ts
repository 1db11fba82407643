import {
  acceptLanguageLengthMax,
  type KeptName,
  type Operation,
  operations,
  type SdkVersion,
  sdkVersionHeader,
  type Caller,
} from "@latchkey/contracts";
import type { UnsignedCaller } from "@latchkey/service-kit/http";
import type { FastifyRequest } from "fastify";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { Deps } from "../deps.ts";
import type { Admitted } from "./admit.ts";
import { appOriginOf } from "../origins/app-origin.ts";
import type { Trust } from "../origins/trust.ts";
import { headerOf, type Inbound } from "../http/read-inbound.ts";

/** The request headers that show how a mailed link is opened, each as received. */
export interface OpeningHeaders {
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly origin?: string | undefined;
  readonly secFetchMode?: string | undefined;
  readonly secFetchSite?: string | undefined;
  /** From Sec-Purpose, Purpose or X-Moz. */
  readonly purpose?: string | undefined;
}

interface Opened {
  method: string;
  /** The redirect target of the request. A mailed link always has one. */
  callbackURL: unknown;
  headers: OpeningHeaders;
}

const listOf = (header: string | undefined): string[] =>
  (header ?? "")
    .toLowerCase()
    .split(/[,;]/)
    .map((one) => one.trim());

const scriptModes = new Set(["cors", "same-origin"]);

/** Returns whether a GET is a call of the application's own code, which no program that follows links makes. */
const isCall = ({ callbackURL, headers }: Opened, { isTrusted }: Pick<Trust, "isTrusted">) => {
  const { accept, origin, secFetchMode, secFetchSite } = headers;
  if (secFetchMode !== undefined && !listOf(secFetchMode).every((mode) => scriptModes.has(mode)))
    return false;
  if (secFetchMode === undefined && listOf(accept).includes("text/html")) return false;
  if (origin !== undefined) return isTrusted(origin); // only scripts send it with a GET
  if (secFetchSite !== undefined)
    return listOf(secFetchSite).every((site) => site === "same-origin");
  // Not a browser. An application that extracted the token from a link sends no callbackURL, but every mailed link has one.
  return callbackURL === undefined || callbackURL === "";
};

/** Returns how a mailed link is opened. A form posts like the page of a link does; a POST with JSON is a call. */
export const judgeOpening = (
  opened: Opened,
  trust: Pick<Trust, "isTrusted">,
): NonNullable<Caller["opening"]> => {
  const { method, headers } = opened;
  if (method !== "GET") return headers.contentType?.includes("application/json") ? "call" : "link";
  if (listOf(headers.purpose).includes("prefetch")) return "prefetch";
  return isCall(opened, trust) ? "call" : "link";
};

/** Reads how a request opens a mailed link. */
const readOpening = ({ request }: Inbound, trust: Trust) => {
  const header = (name: string) => headerOf(request, name);
  return judgeOpening(
    {
      method: request.method,
      callbackURL: (request.query as { callbackURL?: unknown }).callbackURL,
      headers: {
        accept: header("accept"),
        contentType: header("content-type"),
        origin: header("origin"),
        secFetchMode: header("sec-fetch-mode"),
        secFetchSite: header("sec-fetch-site"),
        purpose: header("sec-purpose") ?? header("purpose") ?? header("x-moz"),
      },
    },
    trust,
  );
};

const userAgentLengthMax = 1_000;

const { callback, callbackPost, oauthProxyCallback, oauthProxyCompletion } = operations.identity;
const callbacks = new Set<string>([
  callback.name,
  callbackPost.name,
  oauthProxyCallback.name,
  oauthProxyCompletion.name,
]);

/** Returns whether providers redirect browsers back to this operation, or production does in their place. */
export const isCallback = ({ name }: Operation): boolean => callbacks.has(name);

/** Returns the origin of the page that sends a change, if it is trusted. Links in mails about the change lead back to it. */
const pageOriginOf = (
  { request: { method, headers } }: Inbound,
  { isTrusted }: Trust,
): string | undefined => {
  if (method !== "POST") return undefined;
  const source = headers.origin ?? headers.referer;
  if (source === undefined) return undefined;
  const page = URL.parse(source);
  const isWeb = page?.protocol === "https:" || page?.protocol === "http:";
  return isWeb && isTrusted(page.origin) ? page.origin : undefined;
};

/** Returns the SDK whose replies and error codes a client expects: the one that it names, else the one that the options name. */
export const sdkVersionOf = (
  { client }: Pick<Deps["config"], "client">,
  request: FastifyRequest,
): SdkVersion => {
  const [, version] = /^(1\.2|1\.7)(?:\.|$)/.exec(headerOf(request, sdkVersionHeader) ?? "") ?? [];
  return (version as SdkVersion | undefined) ?? client.version; // checked by the pattern
};

/** Returns the languages that the client prefers, for operations that may cause a mail. Reads cause none, so they are kept short. */
const acceptLanguageOf = (
  { request: { headers } }: Inbound,
  operation: Operation,
): string | undefined => {
  const mayMail =
    operation.method !== "GET" || operation.mailedLink === true || isCallback(operation);
  const { "accept-language": languages = "" } = headers;
  const isReadable = languages !== "" && languages.length <= acceptLanguageLengthMax;
  return mayMail && isReadable ? languages : undefined;
};

/** Returns the state of the sign-in that returns from a provider, of those that the browser holds. */
const stateOf = ({ request }: Inbound, states: readonly string[]): string | undefined => {
  const { state } = request.query as { state?: unknown };
  return states.find((one) => one.split(".", 1)[0] === state) ?? states[0];
};

/** Returns whether an operation may end in a sign-in: it changes something without a session. */
const maySignIn = ({ owner, access, repeatable }: Operation): boolean =>
  owner === "identity" && access === "anyone" && !repeatable;

/** Returns the kept values that an operation reads. */
const keptNamesOf = (
  { session }: Pick<Deps["config"], "session">,
  operation: Operation,
): readonly KeptName[] => {
  const { readsKept = [] } = operation;
  return session.mailNewBrowsers && maySignIn(operation)
    ? [...readsKept, "knownBrowser"]
    : readsKept;
};

/** Returns the caller that the owner of the operation receives. */
export const callerOf = (
  { config }: Pick<Deps, "config">,
  { inbound, operation, trust, jar }: Pick<Admitted, "inbound" | "jar" | "operation" | "trust">,
  sessionCookies: SessionCookies,
): UnsignedCaller => {
  const { token, browserSession, parkedSession, impersonation } = sessionCookies;
  const { request, baseUrl, address } = inbound;
  const { method } = request;
  const { "user-agent": userAgent = "", cookie } = request.headers;
  const acceptLanguage = acceptLanguageOf(inbound, operation);
  const signInState = isCallback(operation) ? stateOf(inbound, jar.readStates(cookie)) : undefined;
  const origin = pageOriginOf(inbound, trust);
  const app = method === "POST" ? appOriginOf(request.headers) : undefined;
  const appOrigin = app !== undefined && trust.isTrusted(app) ? app : undefined;
  const usesLink = operation.mailsLink === true || operation.mailedLink === true;
  const [linkBrowser] = usesLink ? jar.readLinkBrowsers(cookie) : [];
  // The replies of no others differ.
  const sdkVersion = operation.feature === "apiKey" ? sdkVersionOf(config, request) : undefined;
  const keptNames = keptNamesOf(config, operation);
  const keptValues =
    keptNames.length > 0 &&
    jar.readKept(keptNames, request.headers, { fromHeader: config.bearer.enabled });
  const deviceSessions =
    config.multiSession.enabled && (operation.readsDeviceSessions || maySignIn(operation))
      ? jar.readDeviceSessions(cookie, sessionCookies)
      : undefined;
  return {
    requestId: request.id,
    operation: operation.name,
    baseUrl: baseUrl.url,
    ...(origin === undefined ? {} : { origin }),
    ...(sdkVersion === undefined ? {} : { sdkVersion }),
    ...(appOrigin === undefined ? {} : { appOrigin }),
    address: config.advanced.ipAddress.disableIpTracking ? "" : (address ?? ""),
    userAgent: userAgent.slice(0, userAgentLengthMax),
    ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
    ...(token === undefined ? {} : { sessionToken: token }),
    ...(browserSession ? { browserSession: true } : {}),
    ...(parkedSession ? { parkedSession } : {}),
    ...(impersonation?.token === undefined ? {} : { impersonationToken: impersonation.token }),
    ...(signInState === undefined ? {} : { signInState }),
    ...(linkBrowser === undefined ? {} : { linkBrowser }),
    ...(keptValues ? { kept: keptValues } : {}),
    ...(deviceSessions ? { deviceSessions } : {}),
    ...(operation.mailedLink ? { opening: readOpening(inbound, trust) } : {}),
  };
};
