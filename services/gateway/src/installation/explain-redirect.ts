import { errorCatalogue, type RedirectField } from "@latchkey/contracts";
import { judgeRedirect, type RedirectVerdict } from "../origins/redirect-target.ts";
import { compileTrustedOrigins } from "../origins/trusted-origin.ts";
import { redirectRefusals } from "../origins/check-redirects.ts";
import type { Trust } from "../origins/trust.ts";

/** Whether a redirect URL is allowed, and why. */
export interface RedirectExplained {
  allowed: boolean;
  reason: string;
}

type Places = Pick<
  Trust,
  "allowsHttp" | "appOrigins" | "isOfRequest" | "isTrusted" | "ownOrigin" | "patterns"
>;

/** This request comes from the admin web, while real ones come from elsewhere. */
const ofThisRequest =
  " trustedOrigins is a function: this is its result for this request, and it may return something else for another.";

const whoTrusts = (
  url: string,
  { appOrigins, ownOrigin, patterns, isOfRequest, allowsHttp }: Places,
): string => {
  const trusts = (pattern: string) => compileTrustedOrigins([pattern], { allowsHttp })(url);
  if (trusts(ownOrigin)) return `It is on our own origin, ${ownOrigin}.`;
  const app = appOrigins.find(trusts);
  if (app !== undefined)
    return `It is on the origin of the application at ${app}, which appURL sets.`;
  const fitting = `It matches ${patterns.find(trusts) ?? "one"} in trustedOrigins.`;
  return isOfRequest ? fitting + ofThisRequest : fitting;
};

/** Returns the change that would make an http or https URL trusted. */
const remedy = (url: string): string => {
  const { protocol, origin } = URL.parse(url) ?? {};
  return protocol === "https:" || protocol === "http:"
    ? ` Add ${origin} to it to allow this URL.`
    : "";
};

const whyUntrusted = (url: string, { ownOrigin, patterns, isOfRequest }: Places): string => {
  const listed =
    patterns.length === 0
      ? "trustedOrigins is empty"
      : `trustedOrigins contains ${patterns.join(", ")}`;
  const fault = `It is neither on our own origin, ${ownOrigin}, nor on a trusted one: ${listed}.`;
  return fault + (isOfRequest ? ofThisRequest : remedy(url));
};

const faults: Readonly<
  Record<Exclude<RedirectVerdict, "own path" | "trusted" | "untrusted">, string>
> = {
  "not plain":
    "It has characters that browsers interpret differently, such as spaces, backslashes or letters outside ASCII. Write them percent-encoded.",
  "not a URL": "It is not a valid URL.",
  "refused scheme": "Its scheme runs script or opens local content, which no pattern allows.",
  misleading:
    "Its host is not written the way browsers read it. Write it in full, in plain letters, without a user name before it.",
};

const pathAdvice =
  " A relative path begins with one slash, contains letters, digits and - . _ + / @, and may have one query, but no fragment.";

/** Explains whether a redirect URL is allowed, by the same rules as real requests. */
export const explainRedirect = (
  { url, field }: { url: string; field: RedirectField },
  places: Places,
): RedirectExplained => {
  if (url === "") return { allowed: true, reason: "It is empty, so nothing is checked." };
  const verdict = judgeRedirect(url, places.isTrusted);
  if (verdict === "own path") return { allowed: true, reason: "It is a safe relative path." };
  if (verdict === "trusted") return { allowed: true, reason: whoTrusts(url, places) };
  const fault = verdict === "untrusted" ? whyUntrusted(url, places) : faults[verdict];
  const advice = url.startsWith("/") ? pathAdvice : "";
  const { message } = errorCatalogue[redirectRefusals[field]];
  return { allowed: false, reason: `${fault}${advice} Requests are refused with "${message}".` };
};
