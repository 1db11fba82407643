import type { Caller, SessionEffect } from "@latchkey/contracts";
import { constantTimeEqual, randomToken, seal, unseal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import {
  consumeToken,
  keepToken,
  proposeToken,
  signInStateToken,
  useUnkept,
} from "../verification/single-use-token.ts";

/** What is remembered of a sign-in, or of a linking, while the browser is at the provider. */
export interface SignInState {
  providerId: string;
  /** Where the browser goes in the end. */
  callbackURL: string;
  errorURL?: string | undefined;
  newUserURL?: string | undefined;
  /** Of a linking: the user that the account is to be linked to, and the session in which they asked for it. */
  link?: { userId: string; sessionToken: string } | undefined;
  requestSignUp?: boolean | undefined;
  codeVerifier: string;
  nonce: string;
  scopes: readonly string[];
  redirectUri: string;
  /** In milliseconds since the epoch. */
  expiresAt: number;
}

const lifetimeSeconds = 600;
const purpose = "sign-in state";
const verifierLength = 128;
const nonceLength = 32;

type Needs = Pick<Deps, "clock" | "config" | "db" | "logger" | "newId" | "ring">;

/** A state that has been begun: what the provider is given, and what the browser keeps. */
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

/** The browser forgets the state that it kept. */
export const forgetState: SessionEffect = remember(null);

/** More than this fits into no cookie, with its name, the state itself and a signature (RFC 6265bis section 5.6). */
const sealedLengthMax = 3_800;

/** Begins a state: as a row, or with all that is in it in the browser's own sealed cookie, where that can hold it. */
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
  const sealed = seal(deps.ring, purpose, JSON.stringify(data));
  const isCookie = deps.config.account.storeStateStrategy === "cookie";
  if (isCookie && sealed.length <= sealedLengthMax) {
    const state = randomToken(signInStateToken.length, signInStateToken.alphabet);
    return { state, data, effect: remember(`${state}.${sealed}`) };
  }
  const value = known.link?.userId ?? "";
  const proposed = await proposeToken(deps, signInStateToken, {
    value,
    sealed,
    lifetimeSeconds,
  });
  await keepToken(deps, deps.db, proposed);
  return { state: proposed.token, data, effect: remember(proposed.token) };
};

/**
 * Whether the browser that brings a state is the one that began it (RFC 9700 section 2.1): else somebody could have their
 * own sign-in finished in another's browser. One that keeps no cookies may be let through by option.
 */
const isOfBrowser = ({ config }: Needs, caller: Caller, state: string): boolean => {
  const [kept] = caller.signInState?.split(".", 1) ?? [];
  return kept === undefined ? config.account.skipStateCookieCheck : constantTimeEqual(kept, state);
};

const open = ({ ring, clock }: Needs, sealed: string | undefined): SignInState | undefined => {
  const text = sealed === undefined ? undefined : unseal(ring, purpose, sealed);
  if (text === undefined) return undefined;
  const data = JSON.parse(text) as SignInState; // sealed by us
  return data.expiresAt > clock() ? data : undefined;
};

const takeFromCookie = async (
  deps: Needs,
  state: string,
  sealed: string,
): Promise<SignInState | undefined> => {
  const data = open(deps, sealed);
  if (!data) return undefined;
  const expiresAt = new Date(data.expiresAt);
  const isFirst = await useUnkept(deps, { kind: signInStateToken, token: state, expiresAt });
  return isFirst ? data : undefined;
};

/**
 * Uses a state up; of two callbacks at once one gets it. Undefined for one that is not known, has been used, has expired
 * or was begun by another browser, which leaves it to that one.
 */
export const takeState = async (
  deps: Needs,
  caller: Caller,
  state: string,
): Promise<SignInState | undefined> => {
  if (!isOfBrowser(deps, caller, state)) return undefined;
  const sealed = caller.signInState?.slice(state.length + 1);
  if (sealed) return takeFromCookie(deps, state, sealed);
  return open(deps, await consumeToken(deps, deps.db, { kind: signInStateToken, token: state }));
};
