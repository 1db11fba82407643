import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import { noCookies } from "../cookies/read-session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";

const forgetState = { kind: "state", state: null, maxAgeSeconds: 0 } as const;

/**
 * Moves the cookies of a mobile app's session from the response to the URL that opens the app, as the SDK for Expo expects. The browser
 * gets
 * none of them. If the URL is http or https after all, they are dropped.
 */
export const handToApp = (
  answer: Forwarded,
  { write }: Pick<SessionCookieJar, "write">,
): Forwarded => {
  const { effect } = answer;
  if ((effect?.kind !== "issue" && effect?.kind !== "clear") || !effect.toApp) return answer;
  const url = URL.parse(String(answer.headers["location"] ?? ""));
  const kept = { ...answer, effect: forgetState };
  if (!url || url.protocol === "http:" || url.protocol === "https:") return kept;
  // Without the cookie cache, which is too large for a URL. The app receives it with its next request.
  const bare = effect.kind === "issue" ? { ...effect, cached: undefined } : effect;
  const { cookies } = write(bare, noCookies);
  url.searchParams.set("cookie", cookies.join(", "));
  return { ...kept, headers: { ...answer.headers, location: url.href } };
};
