import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { readToken, resetPasswordToken } from "../one-time-tokens/single-use-token.ts";

type OpenPasswordReset = typeof operations.identity.openPasswordReset;

/**
 * Returns the URL that was validated. It is parsed on its own first, and only then as a path of our own. Relative to our
 * URL, `http:x` would be a path, and `//x` would lead to another site.
 */
const destination = (callbackURL: string, baseUrl: string): URL => {
  const absolute = URL.parse(callbackURL);
  if (absolute) return absolute;
  const own = URL.parse(callbackURL, baseUrl);
  if (own?.origin !== new URL(baseUrl).origin) throw new WireError("INVALID_CALLBACKURL");
  return own;
};

/**
 * Opens a mailed reset link: redirects the browser to the application with the token, which stays valid, or with an
 * error.
 */
export const openPasswordReset = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { caller: { baseUrl }, params: { token }, query: { callbackURL } }: Call<OpenPasswordReset>,
): Promise<Answer<OperationReply<OpenPasswordReset>>> => {
  if (callbackURL === "") return { redirect: `${baseUrl}/error?error=INVALID_TOKEN` };
  const url = destination(callbackURL, baseUrl);
  const isGood = (await readToken(deps, resetPasswordToken, token)) !== undefined;
  if (isGood) url.searchParams.set("token", token);
  else url.searchParams.set("error", "INVALID_TOKEN");
  return { redirect: url.href };
};
