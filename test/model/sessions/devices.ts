import { ask } from "../ask.ts";
import { cookieHeader, givenCookies } from "../people.ts";

/** A browser that was signed in, and keeps what it was given as a thief would: nothing is ever taken from it. */
export interface Device {
  token: string;
  person: string;
  /** By name, the session's copy among them. */
  cookies: Map<string, string>;
}

/** Keeps the cookies that an answer gives, but none that it takes away. */
export const keepCookies = ({ cookies }: Pick<Device, "cookies">, headers: Headers): void => {
  for (const [name, value] of givenCookies(headers)) cookies.set(name, value);
};

/** What a gateway shows a device. */
export interface Look {
  isAlive: boolean;
  /** Whether the gateway answered by the copy alone: identity adds a signed token to every session that it shows. */
  isCopied: boolean;
}

export const lookWith = async (base: string, device: Device, withCopy: boolean): Promise<Look> => {
  const { said, body, headers } = await ask<{ session: { token: string } } | null>(
    `${base}/get-session`,
    { cookie: cookieHeader(device.cookies, withCopy) },
  );
  if (said !== "200") throw new Error(`looking at a session: ${said}`);
  if (body !== null && body.session.token !== device.token)
    throw new Error("a gateway shows the session of somebody else");
  if (body !== null) keepCookies(device, headers);
  return { isAlive: body !== null, isCopied: body !== null && !headers.has("set-auth-jwt") };
};
