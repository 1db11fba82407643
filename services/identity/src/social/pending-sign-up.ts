import {
  type Caller,
  type KeptChanges,
  type ProviderTokens,
  secretTokens,
  WireError,
} from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import {
  issueSecret,
  readSecret,
  type SecretNeeds,
  SpentError,
  useSecret,
} from "../secrets/secrets.ts";
import type { SocialUser } from "../providers/read-user.ts";
import type { FinishSignInNeeds, SignInOutcome } from "../sign-in/finish-sign-in.ts";
import { findProviderClient, type FindProviderClientNeeds } from "./find-provider-client.ts";
import { finishSocialSignIn } from "./social-sign-in.ts";
import { registerSocialUser, type RegisterSocialNeeds } from "./resolve-social-user.ts";
import { noGuest } from "../access/link-guest.ts";
import { findPlace } from "../sessions/device-sessions.ts";
import { proposeUser, registerUser } from "../accounts/register-user.ts";
import { finishMailedSignIn } from "../sign-in/finish-sign-in.ts";

/** A sign-up that has proven an address or an account at a provider, and lacks required additional fields. */
type PendingSignUp =
  | { kind: "magic-link"; email: string; name: string; handsGuestOver: boolean }
  | {
      kind: "social";
      providerId: string;
      user: SocialUser & { email: string };
      tokens: ProviderTokens;
      requestSignUp: boolean;
      nameFallback: string;
      callbackURL: string | undefined;
      /** The session of the guest who began the sign-up. */
      guestSession?: string | undefined;
    };

const lifetimeSeconds = secretTokens.pendingSignUp.lifetime;

/** Returns whether a registration failed only because required fields are missing. */
export const lacksFields = (error: unknown): error is WireError =>
  error instanceof WireError && error.code === "FIELD_IS_REQUIRED";

/** Stores a sign-up until the browser that began it sends the fields. Returns what the browser keeps. */
export const storePendingSignUp = async (
  deps: SecretNeeds & Pick<Deps, "logger">,
  db: Kysely<Tables>,
  pending: PendingSignUp,
): Promise<KeptChanges> => {
  const { token } = await issueSecret(deps, db, {
    name: "pendingSignUp",
    holder: "",
    content: JSON.stringify(pending),
    lifetimeSeconds,
  });
  return { signUp: { value: token, maxAgeSeconds: lifetimeSeconds } };
};

const dateOf = (time: unknown): Date | undefined =>
  typeof time === "string" ? new Date(time) : undefined;

/** JSON has no dates. */
const withDates = (tokens: ProviderTokens): ProviderTokens => ({
  ...tokens,
  accessTokenExpiresAt: dateOf(tokens.accessTokenExpiresAt),
  refreshTokenExpiresAt: dateOf(tokens.refreshTokenExpiresAt),
});

/** Returns the sign-up that the caller's browser has begun, if it can still be completed. */
const readPendingSignUp = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  { kept }: Caller,
): Promise<PendingSignUp | undefined> => {
  if (kept?.signUp === undefined) return undefined;
  const stored = await readSecret(deps, "pendingSignUp", { token: kept.signUp });
  if (!stored) return undefined;
  const pending = JSON.parse(stored.content) as PendingSignUp;
  return pending.kind === "social" ? { ...pending, tokens: withDates(pending.tokens) } : pending;
};

/** Uses up the caller's sign-up in the transaction that registers the user. Only one of several concurrent calls succeeds. */
const spendPendingSignUp = async (
  deps: Pick<Deps, "clock" | "config" | "ring">,
  trx: Kysely<Tables>,
  { kept }: Caller,
): Promise<void> => {
  const token = kept?.signUp ?? "";
  if (!(await useSecret(deps, trx, { name: "pendingSignUp", token }))) throw new SpentError();
};

type Needs = FinishSignInNeeds & FindProviderClientNeeds & RegisterSocialNeeds;
type Pending<Kind> = Extract<PendingSignUp, { kind: Kind }>;

const invalidToken = () => new WireError("INVALID_TOKEN");

const completeMailed = async (
  deps: Needs,
  { email, name, handsGuestOver }: Pending<"magic-link">,
  { body, caller }: CallOf<"completeSignUp">,
): Promise<SignInOutcome> => {
  const guest = handsGuestOver ? caller : noGuest;
  await findPlace(deps, caller, undefined);
  const extra = await deps.fields.user.read({ values: body, mode: "create" });
  const user = await registerUser(deps, {
    user: await proposeUser(deps, {
      caller: guest,
      name,
      email,
      emailVerified: true,
      image: null,
      extra,
    }),
    caller,
    within: (trx) => spendPendingSignUp(deps, trx, caller),
  });
  if (!user) throw invalidToken();
  return finishMailedSignIn(deps, { user, method: "magic-link", caller, guest });
};

/** Returns the members of the body that clients may set. */
const inputFields = ({ config }: Needs, body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(config.additionalFields.user)
      .filter(([name, { input }]) => input && Object.hasOwn(body, name))
      .map(([name]) => [name, body[name]]),
  );

const completeSocial = async (
  deps: Needs,
  { providerId, user: there, guestSession, ...rest }: Pending<"social">,
  { body, caller }: CallOf<"completeSignUp">,
): Promise<SignInOutcome> => {
  const client = await findProviderClient(deps, providerId, caller);
  const mapped = { ...there.mapped, ...inputFields(deps, body) };
  const guest = { sessionToken: guestSession };
  const signIn = { ...rest, client, caller, guest, user: { ...there, mapped } };
  const user = await registerSocialUser(deps, signIn, (trx) =>
    spendPendingSignUp(deps, trx, caller),
  );
  if (!user) throw invalidToken();
  return finishSocialSignIn(deps, user, signIn);
};

/**
 * Registers the user of a sign-up that lacked required additional fields, and signs them in. Until then there is neither a user nor a
 * session. The sign-up stays usable if the fields are refused. It never signs an existing user in: somebody who has the address or the
 * account meanwhile signs in anew.
 */
export const completeSignUp: Handler<"completeSignUp"> = async (deps, call) => {
  const pending = await readPendingSignUp(deps, call.caller);
  if (!pending) throw invalidToken();
  const complete = () =>
    pending.kind === "social"
      ? completeSocial(deps, pending, call)
      : completeMailed(deps, pending, call);
  const outcome = await complete().catch((error: unknown) => {
    throw error instanceof SpentError ? invalidToken() : error;
  });
  const { effect: changes } = outcome;
  const effect = { ...changes, keeps: { ...changes.keeps, signUp: null } };
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token, user } = outcome.session;
  return { reply: { token, user }, effect };
};
