import { type Caller, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import {
  createSoftwareAuthenticator,
  type Deviation,
  newCaller,
  type SoftwareAuthenticator,
} from "@latchkey/testkit";
import { type createTestDeps, seedSession, seedUser } from "../db/test-identity.fixture.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import type { NewUser } from "../users/queries.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { deletePasskey } from "./own-passkeys.ts";
import { generateAuthenticateOptions, verifyAuthentication } from "./sign-in.ts";
import { generateRegisterOptions, verifyRegistration } from "./registration.ts";

export type PasskeyDeps = ReturnType<typeof createTestDeps>;

/** The origin of the relying party in these tests. */
export const origin = "https://id.example.com";
export const baseOptions = { baseURL: `${origin}/api/auth` };

/** A browser, which keeps the value of its challenges. */
export interface TestBrowser {
  caller: Caller;
}

export const newBrowser = (): TestBrowser => ({ caller: newCaller("any") });

const keep = (
  browser: TestBrowser,
  effect: { keeps?: { passkeyChallenge?: { value: string } | null | undefined } } | undefined,
): void => {
  const value = effect?.keeps?.passkeyChallenge?.value;
  if (value !== undefined)
    browser.caller = { ...browser.caller, kept: { passkeyChallenge: value } };
};

const none = { params: undefined, query: undefined, body: undefined };

/** A user with a browser in which they are signed in, and an authenticator. */
export interface PasskeyUser {
  user: UserRow;
  browser: TestBrowser;
  authenticator: SoftwareAuthenticator;
  session: ResolvedSession;
}

export const newPasskeyUser = async (
  deps: PasskeyDeps,
  {
    authenticator = createSoftwareAuthenticator({ origin }),
    ...given
  }: Partial<NewUser> & { authenticator?: SoftwareAuthenticator } = {},
): Promise<PasskeyUser> => {
  const user = await seedUser(deps.db, given);
  const caller = newCaller("any");
  const { token } = await seedSession(deps, user, { caller, remember: true });
  return { ...(await signedInAs(deps, { ...caller, sessionToken: token })), authenticator };
};

/** Returns the user and session of a caller. */
export const signedInAs = async (
  deps: PasskeyDeps,
  caller: Caller,
): Promise<Omit<PasskeyUser, "authenticator">> => {
  const session = await resolveSession(deps, caller, { disableRefresh: true });
  const user = session && (await findUser(deps, session.user));
  if (!user) throw new Error("the session has ended");
  return { user, browser: { caller }, session };
};

/** Requests the options of a registration. */
export const beginRegistration = async (
  deps: PasskeyDeps,
  { browser, session }: Pick<PasskeyUser, "browser" | "session">,
) => {
  const call = { ...none, query: {}, caller: browser.caller, session };
  const answer = await generateRegisterOptions(deps, call);
  keep(browser, answer.effect as Parameters<typeof keep>[1]);
  if (!("reply" in answer)) throw new Error("no reply");
  return answer.reply;
};

export const endRegistration = async (
  deps: PasskeyDeps,
  { browser, session }: Pick<PasskeyUser, "browser" | "session">,
  body: { response: unknown; name?: string; createSession?: boolean },
) => {
  const call = { ...none, body, caller: browser.caller, session };
  const answer = await verifyRegistration(deps, call);
  if (!("reply" in answer)) throw new Error("no reply");
  return answer.reply;
};

/** Registers a passkey. */
export const register = async (
  deps: PasskeyDeps,
  user: PasskeyUser,
  { name, ...deviation }: Deviation & { name?: string } = {},
) => {
  const options = await beginRegistration(deps, user);
  const response = user.authenticator.create(options, deviation);
  return endRegistration(deps, user, { response, ...(name === undefined ? {} : { name }) });
};

/** Requests the options of a sign-in. */
export const beginSignIn = async (deps: PasskeyDeps, browser: TestBrowser) => {
  const answer = await generateAuthenticateOptions(deps, {
    caller: browser.caller,
    params: undefined,
    query: undefined,
    body: undefined,
    session: undefined,
  });
  keep(browser, answer.effect as Parameters<typeof keep>[1]);
  if (!("reply" in answer)) throw new Error("no reply");
  return answer.reply;
};

/** The sign-in waits for a second factor. */
class Waiting extends Error {}

/** Returns the reply of a sign-in that starts a session. */
export const endSignIn = async (deps: PasskeyDeps, { caller }: TestBrowser, response: object) => {
  const body = { response: response as Record<string, unknown> };
  const answer = await verifyAuthentication(deps, { ...none, body, caller, session: undefined });
  if (!("reply" in answer)) throw new Error("no reply");
  if (!("session" in answer.reply)) throw new Waiting();
  return answer.reply;
};

/** Signs in by a passkey. */
export const signInByPasskey = async (
  deps: PasskeyDeps,
  browser: TestBrowser,
  { authenticator, deviation }: { authenticator: SoftwareAuthenticator; deviation?: Deviation },
) => endSignIn(deps, browser, authenticator.get(await beginSignIn(deps, browser), deviation));

/** Deletes a passkey in the user's session. */
export const deletePasskeyOf = async (
  deps: PasskeyDeps,
  { browser, session }: Pick<PasskeyUser, "browser" | "session">,
  id: string,
): Promise<void> => {
  await deletePasskey(deps, { ...none, body: { id }, caller: browser.caller, session });
};

/** Returns the code of the refusal, or undefined if the call succeeds. */
export const codeOf = async (call: Promise<unknown>): Promise<string | undefined> => {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error.code;
    if (error instanceof Waiting) return "no session";
    throw error;
  }
};
