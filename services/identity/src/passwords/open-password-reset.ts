import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { readToken, resetPasswordToken } from "../verification/single-use-token.ts";

type OpenPasswordReset = typeof operations.identity.openPasswordReset;

/**
 * A callback URL as it was checked: read by itself, and only then as a path of our own. Read beside our URL, `http:x` would
 * be a path, and `//x` leads elsewhere.
 */
const destination = (callbackURL: string, baseUrl: string): URL => {
  const absolute = URL.parse(callbackURL);
  if (absolute) return absolute;
  const own = URL.parse(callbackURL, baseUrl);
  if (own?.origin !== new URL(baseUrl).origin) throw new WireError("INVALID_CALLBACKURL");
  return own;
};

/** Opens a mailed reset link: sends its reader on to the application with the token, which stays good, or with an error. */
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
