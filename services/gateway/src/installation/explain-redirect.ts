import { errorCatalogue, type RedirectField } from "@latchkey/contracts";
import { judgeRedirect, type RedirectVerdict } from "../origins/redirect-target.ts";
import { compileTrustedOrigins } from "../origins/trusted-origin.ts";
import { redirectRefusals } from "../pipeline/check-redirects.ts";
import type { Trust } from "../pipeline/trust.ts";

/** Whether a place may be gone to, and why. */
export interface RedirectExplained {
  allowed: boolean;
  reason: string;
}

type Places = Pick<Trust, "isOfRequest" | "isTrusted" | "ownOrigin" | "patterns">;

/** This request comes from the admin web; what is judged in earnest comes from elsewhere. */
const ofThisRequest =
  " trustedOrigins is a function: that is what it gives for this very request, and it may give something else for another.";

const whoTrusts = (url: string, { ownOrigin, patterns, isOfRequest }: Places): string => {
  const trusts = (pattern: string) => compileTrustedOrigins([pattern])(url);
  if (trusts(ownOrigin)) return `It is of our own origin, ${ownOrigin}.`;
  const fitting = `It fits ${patterns.find(trusts) ?? "one"} of trustedOrigins.`;
  return isOfRequest ? fitting + ofThisRequest : fitting;
};

/** What to add so that a URL of the web would be trusted. */
const remedy = (url: string): string => {
  const { protocol, origin } = URL.parse(url) ?? {};
  return protocol === "https:" || protocol === "http:" ? ` Add ${origin} there to allow it.` : "";
};

const whyUntrusted = (url: string, { ownOrigin, patterns, isOfRequest }: Places): string => {
  const listed =
    patterns.length === 0 ? "trustedOrigins is empty" : `trustedOrigins has ${patterns.join(", ")}`;
  const fault = `It is neither of our own origin, ${ownOrigin}, nor of a trusted one: ${listed}.`;
  return fault + (isOfRequest ? ofThisRequest : remedy(url));
};

const faults: Readonly<
  Record<Exclude<RedirectVerdict, "own path" | "trusted" | "untrusted">, string>
> = {
  "not plain":
    "It has characters that are read differently from browser to browser, such as spaces, backslashes or letters outside ASCII: write them percent-encoded.",
  "not a URL": "It is no URL that can be read.",
  "refused scheme": "Its scheme runs script or opens local content, which no pattern allows.",
  misleading:
    "Its host is not written the way browsers read it: write it in full, in plain letters, without a user name before it.",
};

const pathAdvice =
  " A path of our own begins with one slash, holds letters, digits and - . _ + / @, may have one query, and no fragment.";

/** Why a place may be gone to or not, by the very rules that requests are checked by. */
export const explainRedirect = (
  { url, field }: { url: string; field: RedirectField },
  places: Places,
): RedirectExplained => {
  if (url === "") return { allowed: true, reason: "It names no place, so nothing is checked." };
  const verdict = judgeRedirect(url, places.isTrusted);
  if (verdict === "own path") return { allowed: true, reason: "It is a safe path of our own." };
  if (verdict === "trusted") return { allowed: true, reason: whoTrusts(url, places) };
  const fault = verdict === "untrusted" ? whyUntrusted(url, places) : faults[verdict];
  const advice = url.startsWith("/") ? pathAdvice : "";
  const { message } = errorCatalogue[redirectRefusals[field]];
  return { allowed: false, reason: `${fault}${advice} Requests are refused with "${message}".` };
};
