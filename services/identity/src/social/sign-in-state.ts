import { type Caller, secretTokens, type SessionEffect } from "@latchkey/contracts";
import { constantTimeEqual, randomToken, seal, unseal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import {
  issueSecret,
  readSecret,
  type SecretNeeds,
  useSecret,
  useUnstored,
} from "../secrets/secrets.ts";

/** The data of a sign-in or linking while the browser is at the provider. */
export interface SignInState {
  providerId: string;
  /** The browser's final destination. */
  callbackURL: string;
  errorURL?: string | undefined;
  newUserURL?: string | undefined;
  /** For a linking: the user to whom the account is to be linked, and the session that began it. */
  link?: { userId: string; sessionToken: string } | undefined;
  requestSignUp?: boolean | undefined;
  /** The session of the guest who began a sign-in. */
  guestSession?: string | undefined;
  codeVerifier: string;
  nonce: string;
  scopes: readonly string[];
  redirectUri: string;
  loginHint?: string | undefined;
  additionalParams?: Readonly<Record<string, string>> | undefined;
  /** Begun by a mobile app. Its browser is a separate one, and the callback passes the session to the app. */
  isOfApp?: boolean | undefined;
  /** In milliseconds since the epoch. */
  expiresAt: number;
}

const { lifetime: lifetimeSeconds, length, alphabet } = secretTokens.signInState;
const purpose = "sign-in state";
const verifierLength = 128;
const nonceLength = 32;

type Needs = SecretNeeds & Pick<Deps, "db" | "logger">;

/** A new state: the value for the provider, and the browser's cookie. */
export interface BegunState {
  state: string;
  data: SignInState;
  effect: SessionEffect;
}

const remember = (kept: string | null): SessionEffect => ({
  kind: "state",
  state: kept,
  maxAgeSeconds: lifetimeSeconds,
});

/** Deletes the state's cookie in the browser. */
export const forgetState: SessionEffect = remember(null);

/** A cookie cannot hold more than this plus its name, the state and a signature (RFC 6265bis section 5.6). */
const sealedLengthMax = 3_800;

/** Creates a state: as a row, or with all its data sealed in a cookie if it fits. */
export const beginState = async (
  deps: Needs,
  known: Omit<SignInState, "codeVerifier" | "nonce" | "expiresAt">,
): Promise<BegunState> => {
  const data: SignInState = {
    ...known,
    codeVerifier: randomToken(verifierLength, "urlSafe"),
    nonce: randomToken(nonceLength, "urlSafe"),
    expiresAt: deps.clock() + lifetimeSeconds * 1000,
  };
  const content = JSON.stringify(data);
  // A mobile app stores the cookie, but its browser does not have it.
  if (deps.config.account.storeStateStrategy === "cookie" && !known.isOfApp) {
    const sealed = seal(deps.ring, purpose, content);
    const state = randomToken(length, alphabet);
    if (sealed.length <= sealedLengthMax)
      return { state, data, effect: remember(`${state}.${sealed}`) };
  }
  const secret = { holder: known.link?.userId ?? "", content, lifetimeSeconds };
  const { token } = await issueSecret(deps, deps.db, { name: "signInState", ...secret });
  return { state: token, data, effect: remember(token) };
};

/**
 * Returns whether the browser is the one that began the state (RFC 9700 section 2.1). Otherwise an attacker could
 * complete their own sign-in in a victim's browser. The check can be disabled for clients without cookies.
 */
const isOfBrowser = ({ config }: Needs, caller: Caller, state: string): boolean => {
  const [browserState] = caller.signInState?.split(".", 1) ?? [];
  return browserState === undefined
    ? config.account.skipStateCookieCheck
    : constantTimeEqual(browserState, state);
};

const parse = ({ clock }: Needs, content: string | undefined): SignInState | undefined => {
  if (content === undefined) return undefined;
  const data = JSON.parse(content) as SignInState; // sealed by us
  return data.expiresAt > clock() ? data : undefined;
};

const openCookie = (deps: Needs, sealed: string): SignInState | undefined =>
  parse(deps, unseal(deps.ring, purpose, sealed));

const takeFromCookie = async (
  deps: Needs,
  state: string,
  sealed: string,
): Promise<SignInState | undefined> => {
  const data = openCookie(deps, sealed);
  if (!data) return undefined;
  const use = { name: "signInState", token: state, expiresAt: new Date(data.expiresAt) } as const;
  return (await useUnstored(deps, deps.db, use)) ? data : undefined;
};

const readStored = async (deps: Needs, state: string): Promise<SignInState | undefined> =>
  parse(deps, (await readSecret(deps, "signInState", { token: state }))?.content);

/** Returns the sealed state in the cookie of the browser that began it. Empty or undefined if the state is stored. */
const sealedIn = (caller: Caller, state: string): string | undefined =>
  caller.signInState?.slice(state.length + 1);

/** Returns a usable state that this browser began. It stays usable. */
export const readState = async (
  deps: Needs,
  caller: Caller,
  state: string,
): Promise<SignInState | undefined> => {
  if (!isOfBrowser(deps, caller, state)) return undefined;
  const sealed = sealedIn(caller, state);
  return sealed ? openCookie(deps, sealed) : readStored(deps, state);
};

/** Returns a usable state of a mobile app, or undefined for any other. */
export const readAppState = async (
  deps: Needs,
  state: string,
): Promise<SignInState | undefined> => {
  const data = await readStored(deps, state);
  return data?.isOfApp ? data : undefined;
};

/** Binds the state that an app began to the app's browser. Succeeds for one of several concurrent calls. */
export const moveToAppBrowser = async (
  deps: Needs,
  state: string,
  { expiresAt }: SignInState,
): Promise<SessionEffect | undefined> => {
  const use = { name: "appBrowser", token: state, expiresAt: new Date(expiresAt) } as const;
  return (await useUnstored(deps, deps.db, use)) ? remember(state) : undefined;
};

/**
 * Uses up a state and returns it. Only one of two concurrent callbacks gets it. Returns undefined for a state that is
 * unknown, used or expired. A state of another browser returns undefined as well, and stays usable there.
 */
export const takeState = async (
  deps: Needs,
  caller: Caller,
  state: string,
): Promise<SignInState | undefined> => {
  if (!isOfBrowser(deps, caller, state)) return undefined;
  const sealed = sealedIn(caller, state);
  if (sealed) return takeFromCookie(deps, state, sealed);
  const used = await useSecret(deps, deps.db, { name: "signInState", token: state });
  return parse(deps, used?.content);
};
