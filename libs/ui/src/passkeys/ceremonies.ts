import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { call, type CallReply } from "../api/call.ts";
import { operations } from "../api/contracts.ts";
import { ceremonyError, isCancelled } from "./ceremony-error.ts";

const { generateAuthenticateOptions, generateRegisterOptions } = operations.identity;
const { verifyAuthentication, verifyRegistration } = operations.identity;

/** The response of an authenticator, which proves who its user is. */
export type Assertion = AuthenticationResponseJSON;

/** Loaded at the first ceremony, so that the sign-in page stays small. */
const loadWebAuthn = () => import("@simplewebauthn/browser");

/** Returns the outcome of a ceremony, or undefined if it was cancelled. */
const unlessCancelled = async <T>(ceremony: Promise<T>): Promise<T | undefined> => {
  try {
    return await ceremony;
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw ceremonyError(error);
  }
};

/** Options as WebAuthn types them. The contract declares its enumerations as text. */
const requestOptions = async (signal?: AbortSignal) =>
  (await call(generateAuthenticateOptions, {}, signal)) as PublicKeyCredentialRequestOptionsJSON;

/** Has the user choose a passkey in a dialog of the browser. Returns undefined if they cancel. */
export const requestPasskey = async (): Promise<Assertion | undefined> => {
  const { startAuthentication } = await loadWebAuthn();
  return unlessCancelled(startAuthentication({ optionsJSON: await requestOptions() }));
};

/**
 * Offers passkeys in the autofill of the field whose `autocomplete` ends in `webauthn`, and returns the one that the user picks. Returns
 * undefined if the browser cannot do so, when `signal` ends it, or when another ceremony replaces it.
 */
export const offerAutofill = async (signal: AbortSignal): Promise<Assertion | undefined> => {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } =
    await loadWebAuthn();
  if (signal.aborted || !(await browserSupportsWebAuthnAutofill())) return undefined;
  const optionsJSON = await requestOptions(signal);
  if (signal.aborted) return undefined;
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", cancel);
  try {
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } finally {
    // A later ceremony must not be cancelled by the end of this one.
    signal.removeEventListener("abort", cancel);
  }
};

/** Signs in by a passkey, or renews the session of the same user. The reply may ask for a second factor. */
export const signInByAssertion = (
  assertion: Assertion,
): Promise<CallReply<typeof verifyAuthentication>> =>
  call(verifyAuthentication, { body: { response: { ...assertion } } });

/** Adds a passkey to the signed-in user. Returns undefined if they cancel. */
export const addPasskey = async (
  name: string,
): Promise<CallReply<typeof verifyRegistration> | undefined> => {
  const { startRegistration } = await loadWebAuthn();
  const options = await call(generateRegisterOptions, { query: { name } });
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const response = await unlessCancelled(startRegistration({ optionsJSON }));
  return response && call(verifyRegistration, { body: { response, name } });
};
