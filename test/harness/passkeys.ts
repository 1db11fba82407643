import { readPasskeySettings } from "@latchkey/service-kit/config";
import {
  type CreationOptions,
  createSoftwareAuthenticator,
  type Deviation,
  type RequestOptions,
  type SoftwareAuthenticator,
} from "@latchkey/testkit";
import { expect } from "vitest";
import type { BrowserLike } from "./browser-like.ts";
import { type ClientResponse, readResponse } from "./responses.ts";
import type { System } from "./start-system.ts";

/** A passkey in replies. */
export interface PasskeyView {
  id: string;
  name: string | null;
  userId: string;
  credentialID: string;
  counter: number;
  lastUsedAt: string | null;
}

/** Creates an authenticator on a page of the system. */
export const newAuthenticator = (
  { settings }: Pick<System, "settings">,
  own: Partial<Parameters<typeof createSoftwareAuthenticator>[0]> = {},
): SoftwareAuthenticator => {
  const { relyingParty } = readPasskeySettings(settings);
  if (!relyingParty) throw new Error("passkeys are off");
  return createSoftwareAuthenticator({ origin: relyingParty.origins[0] ?? "", ...own });
};

const optionsOf = async <Options>(browser: BrowserLike, path: string): Promise<Options> => {
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Options;
};

/** Requests the options of a registration. */
export const beginRegistration = (browser: BrowserLike): Promise<CreationOptions> =>
  optionsOf(browser, "/passkey/generate-register-options");

/** Requests the options of a sign-in by passkey. */
export const beginPasskeySignIn = (browser: BrowserLike): Promise<RequestOptions> =>
  optionsOf(browser, "/passkey/generate-authenticate-options");

/** Registers a passkey for the user of a browser. */
export const registerPasskey = async (
  browser: BrowserLike,
  authenticator: SoftwareAuthenticator,
  name?: string,
): Promise<PasskeyView> => {
  const response = authenticator.create(await beginRegistration(browser));
  const answer = await browser.post("/passkey/verify-registration", { response, name });
  expect(answer.status).toBe(200);
  return (await answer.json()) as PasskeyView;
};

/** Returns the response to a sign-in by passkey in a browser. */
export const tryPasskeySignIn = async (
  browser: BrowserLike,
  authenticator: SoftwareAuthenticator,
  deviation?: Deviation,
): Promise<
  ClientResponse<{ user?: { id: string }; session?: { token: string }; code?: string }>
> => {
  const response = authenticator.get(await beginPasskeySignIn(browser), deviation);
  return readResponse(await browser.post("/passkey/verify-authentication", { response }));
};
