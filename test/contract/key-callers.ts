import type { LatchkeyConfig } from "@latchkey/contracts";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import type { Stack } from "../stack.ts";
import { apiKeyConfig } from "./api-key-people.ts";
import { refusal, seen } from "./identity-people.ts";

/** Configuration in which keys act as sessions, without use limits. */
export const keySessionConfig = (
  apiKey: LatchkeyConfig["apiKey"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig =>
  apiKeyConfig({ enableSessionForAPIKeys: true, rateLimit: { enabled: false }, ...apiKey }, own);

/** A client that sends a key, in addition to the cookies of a browser if one is given. */
export const withKey = (
  stack: Pick<Stack, "url">,
  key: string,
  browser: BrowserLike = createBrowserLike(stack.url),
): { browser: BrowserLike } => {
  const shown = { "x-api-key": key };
  return {
    browser: {
      cookies: browser.cookies,
      get: (path, headers) => browser.get(path, { ...shown, ...headers }),
      post: (path, body, headers) => browser.post(path, body, { ...shown, ...headers }),
    },
  };
};

interface Got {
  session: Record<string, unknown>;
  user: { id: string; email: string } & Record<string, unknown>;
}

export const getSession = async (
  { browser }: { browser: BrowserLike },
  headers: Record<string, string> = {},
) => seen<Got | null>(await browser.get("/get-session", headers));

/** Returns the id of the authenticated user. */
export const userIdOf = async (
  client: { browser: BrowserLike },
  headers?: Record<string, string>,
): Promise<string | undefined> => (await getSession(client, headers)).body?.user.id;

/** Every way in which a key is refused as a session, except its rate limit, which includes a time. */
export const keyRefusals = {
  malformed: refusal(403, "INVALID_API_KEY", "Invalid API key."),
  unknown: refusal(401, "INVALID_API_KEY", "Invalid API key."),
  disabled: refusal(401, "KEY_DISABLED", "API Key is disabled"),
  expired: refusal(401, "KEY_EXPIRED", "API Key has expired"),
  exhausted: refusal(401, "USAGE_EXCEEDED", "API Key has reached its usage limit"),
  forbidden: refusal(403, "FORBIDDEN", "Forbidden"),
  banned: refusal(401, "USER_IS_BANNED", "User is banned"),
  getter: refusal(
    400,
    "API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING",
    "API Key getter returned an invalid key type. Expected string.",
  ),
} as const;
