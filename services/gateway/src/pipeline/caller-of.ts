import {
  acceptLanguageLengthMax,
  type Operation,
  type SdkVersion,
  sdkVersionHeader,
} from "@latchkey/contracts";
import type { UnsignedCaller } from "@latchkey/service-kit";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { Deps } from "../deps.ts";
import type { Admitted } from "./admitted.ts";
import { appOriginOf } from "../origins/app-origin.ts";
import { isCallback } from "./is-callback.ts";
import type { Trust } from "./trust.ts";
import { headerOf, type Inbound } from "./read-inbound.ts";
import { readOpening } from "./read-opening.ts";

const userAgentLengthMax = 1_000;

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

/** Returns the SDK version that an API key client names, which determines the format of replies. Any other version is ignored. */
const sdkVersionOf = ({ request }: Inbound, { feature }: Operation): SdkVersion | undefined => {
  if (feature !== "apiKey") return undefined;
  const [, version] = /^(1\.2|1\.7)(?:\.|$)/.exec(headerOf(request, sdkVersionHeader) ?? "") ?? [];
  return version as SdkVersion | undefined; // checked by the pattern
};

/** Returns the languages that the client prefers, for operations that may cause a mail. Reads cause none, so they are kept short. */
const acceptLanguageOf = (
  { request: { method, headers } }: Inbound,
  operation: Operation,
): string | undefined => {
  const mayMail = method !== "GET" || operation.mailedLink === true || isCallback(operation);
  const { "accept-language": languages = "" } = headers;
  const isReadable = languages !== "" && languages.length <= acceptLanguageLengthMax;
  return mayMail && isReadable ? languages : undefined;
};

/** Returns the caller that the owner of the operation receives. */
export const callerOf = (
  { config }: Pick<Deps, "config">,
  { inbound, operation, trust, jar }: Pick<Admitted, "inbound" | "jar" | "operation" | "trust">,
  { token, browserSession, parkedSession, impersonation }: SessionCookies,
): UnsignedCaller => {
  const { request, baseUrl, address } = inbound;
  const { method } = request;
  const { "user-agent": userAgent = "", cookie } = request.headers;
  const acceptLanguage = acceptLanguageOf(inbound, operation);
  const signInState = isCallback(operation) ? jar.readState(cookie) : undefined;
  const origin = pageOriginOf(inbound, trust);
  const app = method === "POST" ? appOriginOf(request.headers) : undefined;
  const appOrigin = app !== undefined && trust.isTrusted(app) ? app : undefined;
  const asksForLink = operation.mailsLink === true || operation.mailedLink === true;
  const linkBrowser = asksForLink ? jar.readLinkBrowser(cookie) : undefined;
  const sdkVersion = sdkVersionOf(inbound, operation);
  const kept =
    operation.readsKept &&
    jar.readKept(operation.readsKept, request.headers, { fromHeader: config.bearer.enabled });
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
    ...(kept ? { kept } : {}),
    ...(operation.mailedLink ? { opening: readOpening(inbound, trust) } : {}),
  };
};
