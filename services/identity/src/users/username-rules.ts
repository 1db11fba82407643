import { isPlainText, WireError } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

type UsernameOptions = IdentityConfig["username"];

/** The form in which a username is kept, looked up and unique. */
export const normaliseUsername = (options: UsernameOptions, username: string): string =>
  (options.usernameNormalization ?? ((text) => text.toLowerCase()))(username);

/** The username of a row that a hook gave back: one that is the hook's own is normalised as any other. */
export const normaliseOverride = (
  options: UsernameOptions,
  { given, proposed }: { given: string | null; proposed: string | null },
): string | null => (given === proposed || !given ? given : normaliseUsername(options, given));

const plainLetters = /^[A-Za-z0-9_.]+$/;

/** Refuses a username, in the form in which it is kept, that is too short or too long (UTF-16 units) or not valid. */
export const checkUsername = async (options: UsernameOptions, username: string): Promise<void> => {
  if (username.length < options.minUsernameLength) throw new WireError("USERNAME_IS_TOO_SHORT");
  if (username.length > options.maxUsernameLength) throw new WireError("USERNAME_IS_TOO_LONG");
  const isValid = options.usernameValidator ?? ((text: string) => plainLetters.test(text));
  if (!isPlainText(username) || !(await isValid(username)))
    throw new WireError("USERNAME_IS_INVALID");
};

/** The members that a request sets; a display name that is not given is the username as it was typed. */
export const usernameMembers = (
  options: UsernameOptions,
  sent: { username?: string | undefined; displayUsername?: string | undefined },
): { username?: string; displayUsername?: string } => {
  if (!options.enabled) return {};
  const { username, displayUsername } = sent;
  const displayed = displayUsername || username;
  return {
    ...(username === undefined ? {} : { username: normaliseUsername(options, username) }),
    ...(displayed === undefined ? {} : { displayUsername: displayed }),
  };
};
