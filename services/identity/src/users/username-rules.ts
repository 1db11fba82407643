import { isPlainText, WireError } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import type { Handler } from "../deps.ts";
import { findUserByUsername } from "./queries.ts";

type UsernameOptions = IdentityConfig["username"];

/** Returns the form in which a username is stored, looked up and unique. */
export const normaliseUsername = (options: UsernameOptions, username: string): string =>
  (options.usernameNormalization ?? ((text) => text.toLowerCase()))(username);

/** Returns the username of a row that a hook returned. Normalises it if the hook changed it. */
export const normaliseOverride = (
  options: UsernameOptions,
  { given, proposed }: { given: string | null; proposed: string | null },
): string | null => (given === proposed || !given ? given : normaliseUsername(options, given));

const plainLetters = /^[A-Za-z0-9_.]+$/;

/** Rejects a normalised username that is too short, too long (UTF-16 units) or invalid. */
export const checkUsername = async (options: UsernameOptions, username: string): Promise<void> => {
  if (username.length < options.minUsernameLength) throw new WireError("USERNAME_IS_TOO_SHORT");
  if (username.length > options.maxUsernameLength) throw new WireError("USERNAME_IS_TOO_LONG");
  const isValid = options.usernameValidator ?? ((text: string) => plainLetters.test(text));
  if (!isPlainText(username) || !(await isValid(username)))
    throw new WireError("USERNAME_IS_INVALID");
};

/** Returns the username members that a request sets. The default display name is the username as typed. */
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

/** Returns whether no user has the username, including the caller. Rejects one that breaks a rule. */
export const isUsernameAvailable: Handler<"isUsernameAvailable"> = async (deps, { body }) => {
  const username = normaliseUsername(deps.config.username, body.username);
  await checkUsername(deps.config.username, username);
  const holder = await findUserByUsername(deps.db, username);
  return { reply: { available: holder === undefined } };
};
