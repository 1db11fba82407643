import { AdvisedError } from "../api/advised-error.ts";

/** The errors of WebAuthn in words for users, by name. */
const texts: Readonly<Record<string, readonly [message: string, advice: string]>> = {
  SecurityError: [
    "Passkeys do not work on this page",
    "Open this page at the baseURL, or check the option passkey.rpID.",
  ],
  InvalidStateError: [
    "This device already has a passkey for your account",
    "Sign in with that passkey, or add one from another device.",
  ],
  ConstraintError: [
    "This device cannot store this passkey",
    "Choose another device, or a password manager.",
  ],
  NotSupportedError: [
    "This device cannot store this passkey",
    "Choose another device, or a password manager.",
  ],
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

/** Whether the user cancelled a ceremony, did not answer in time, or began another one. */
export const isCancelled = (error: unknown): boolean =>
  ["AbortError", "NotAllowedError"].includes(nameOf(error));

/** Returns the failure of a ceremony in words for users. */
export const ceremonyError = (error: unknown): AdvisedError => {
  const name = nameOf(error);
  const [message, advice] = (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? [
    "The browser could not use a passkey",
    "Try again, or choose another passkey.",
  ];
  return new AdvisedError(message, { advice, cause: error });
};
