import { sendRequest } from "../send-request.ts";
import { storeCookies } from "../../../harness/cookies.ts";
import { cookieHeaderOf } from "../users.ts";

/** A signed-in browser that keeps all its cookies as a thief would: none is ever cleared. */
export interface Device {
  /** Id of its session. */
  id: string;
  token: string;
  person: string;
  /** By name, including the cached session. */
  cookies: Map<string, string>;
}

/** Stores the cookies that an answer sets, but clears none. */
export const keepCookies = ({ cookies }: Pick<Device, "cookies">, headers: Headers): void => {
  const received = new Map<string, string>();
  storeCookies(received, headers.getSetCookie());
  for (const [name, value] of received) cookies.set(name, value);
};

/** The answer of a gateway to a device. */
export interface Look {
  isAlive: boolean;
  /** Whether the gateway answered from the cached session alone: identity adds a signed token to each answer. */
  isCopied: boolean;
}

export const lookWith = async (base: string, device: Device, withCopy: boolean): Promise<Look> => {
  const { said, body, headers } = await sendRequest<{ session: { token: string } } | null>(
    `${base}/get-session`,
    { cookie: cookieHeaderOf(device.cookies, withCopy) },
  );
  if (said !== "200") throw new Error(`looking at a session: ${said}`);
  if (body !== null && body.session.token !== device.token)
    throw new Error("a gateway shows another user's session");
  if (body !== null) keepCookies(device, headers);
  return { isAlive: body !== null, isCopied: body !== null && !headers.has("set-auth-jwt") };
};

/** Returns the id of the session that some cookies open, or an empty text if it has ended. */
export const sessionIdOf = async (
  base: string,
  { cookies }: Pick<Device, "cookies">,
): Promise<string> => {
  const { said, body } = await sendRequest<{ session: { id: string } } | null>(
    `${base}/get-session?disableRefresh=true`,
    { cookie: cookieHeaderOf(cookies, false) },
  );
  if (said !== "200") throw new Error(`reading the id of a session: ${said}`);
  return body?.session.id ?? "";
};
