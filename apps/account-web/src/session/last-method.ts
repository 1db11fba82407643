import { facts } from "../facts.ts";

/** A way to sign in: the id of a provider after `provider:`, or one of ours. */
export type Method =
  | "password"
  | "passkey"
  | "magicLink"
  | "emailCode"
  | "phoneCode"
  | `provider:${string}`;

/** The names of our ways in the cookie. Any other name is the id of a provider. */
const methods: ReadonlyMap<string, Method> = new Map([
  ["email", "password"],
  ["username", "password"],
  ["passkey", "passkey"],
  ["magic-link", "magicLink"],
  ["email-otp", "emailCode"],
  ["phone-number", "phoneCode"],
]);

/** Returns the way by which this browser signed in last, if the installation keeps it in the cookie of that name. */
export const lastMethod = (name = facts.lastLoginCookie): Method | undefined => {
  if (name === undefined) return undefined;
  const pairs = document.cookie.split("; ");
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value ? (methods.get(value) ?? `provider:${value}`) : undefined;
};
