import type { WireError } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { Refusal } from "../terminal/refusal.ts";

type Advice = (settings: Settings) => string;

/** The operator's remedy for each error of the service. */
const advices: Readonly<Partial<Record<WireError["code"], Advice>>> = {
  USER_ALREADY_EXISTS: () =>
    "Give --promote instead of --name to make that user an admin, or another address.",
  USER_NOT_FOUND: () => "Nobody has that address. Leave --promote out to create the user.",
  PASSWORD_TOO_SHORT: ({ options }) =>
    `It needs ${options.emailAndPassword.minPasswordLength} characters at least (emailAndPassword.minPasswordLength).`,
  PASSWORD_TOO_LONG: ({ options }) =>
    `It may have ${options.emailAndPassword.maxPasswordLength} characters at most (emailAndPassword.maxPasswordLength).`,
  FIELD_IS_REQUIRED: () => "Give the additional field with --data.",
  FAILED_TO_CREATE_USER: () =>
    "databaseHooks of the configuration rejected it, or a unique value is taken.",
  FAILED_TO_UPDATE_USER: () => "databaseHooks.user.update.before of the configuration rejected it.",
};

/** Converts a client-facing error to one for the operator. */
export const refuseWire = (error: WireError, settings: Settings): Refusal => {
  const issues = error.issues?.map(({ path, message }) => `${path} ${message}`).join("; ");
  const said = issues ? `${error.message}: ${issues}` : error.message;
  const advice = advices[error.code]?.(settings);
  return new Refusal(advice ? `${said}. ${advice}` : `${said}.`);
};
