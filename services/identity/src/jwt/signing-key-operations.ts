import { type SigningKeyEntry, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Deps, Handler } from "../deps.ts";
import { loadSigningKey } from "./signing-keys.ts";
import { listSigningKeys, deleteRetiredSigningKeys } from "./queries.ts";
import {
  unpublishedUntil,
  handoverMilliseconds,
  handedOverAt,
  isTakingOver,
  publishedUntil,
  stateOf,
} from "./signing-key-rules.ts";

/** A published key. */
export interface ExaminedKey {
  kid: string;
  /** Another key signs, or will sign soon. */
  isRetired: boolean;
  /** Whether its private key can be opened with the present secrets. */
  opens: boolean;
}

/** Returns the published keys, newest first. Creates none. */
export const examineSigningKeys = async ({
  clock,
  config,
  db,
  ring,
}: Pick<Deps, "clock" | "config" | "db" | "ring">): Promise<ExaminedKey[]> => {
  const rows = await listSigningKeys(db, unpublishedUntil(config.jwt.jwks, clock()));
  return rows.map((row) => ({
    kid: row.id,
    isRetired: row.retiredAt !== null,
    opens: loadSigningKey(ring, row, undefined)?.signer !== undefined,
  }));
};

/** A new signing key, and the state of the earlier ones. */
export interface Rotation {
  kid: string;
  /** When it starts to sign. */
  signsAt: Date;
  /** The earlier keys that are still published, newest first. */
  older: string[];
  /** How long the present signing key stays published, so that its tokens can be verified. */
  publishedUntil: Date;
}

/** Creates a key that signs once verifiers had time to fetch it. */
export const rotateSigningKeys = async ({
  clock,
  config,
  signingKeys,
}: Pick<Deps, "clock" | "config" | "signingKeys">): Promise<Rotation> => {
  const kid = await signingKeys.rotate();
  const published = await signingKeys.published();
  const signsAt = clock() + handoverMilliseconds;
  return {
    kid,
    signsAt: new Date(signsAt),
    older: published.map((key) => key.kid).filter((known) => known !== kid),
    publishedUntil: new Date(signsAt + config.jwt.jwks.gracePeriod * 1000),
  };
};

/** Deletes the keys that are no longer published. Returns the number. */
export const sweepSigningKeys = ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<number> =>
  deleteRetiredSigningKeys(db, unpublishedUntil(config.jwt.jwks, clock()));

/** Returns the published keys for admins, newest first. Creates none. */
const listKeyEntries = async ({
  clock,
  config,
  db,
  ring,
}: Pick<Deps, "clock" | "config" | "db" | "ring">): Promise<SigningKeyEntry[]> => {
  const { jwks } = config.jwt;
  const now = clock();
  const rows = await listSigningKeys(db, unpublishedUntil(jwks, now));
  const keys = rows.map((row) => ({
    id: row.id,
    alg: row.alg,
    createdAt: row.createdAt,
    retiredAt: row.retiredAt,
    opens: loadSigningKey(ring, row, undefined)?.signer !== undefined,
  }));
  return keys.map((key) => {
    const state = stateOf(key, keys, now);
    const signsAt = state === "next" ? handedOverAt(key.createdAt) : null;
    return Object.assign(key, { state, signsAt, publishedUntil: publishedUntil(key, jwks) });
  });
};

/** Returns the state of each published key, and whether it can be opened. Returns nothing of private keys. */
export const adminListSigningKeys: Handler<"adminListSigningKeys"> = async (deps, _call) => ({
  reply: { keys: await listKeyEntries(deps) },
});

/**
 * Creates a key that signs once verifiers had time to fetch it. Returns a pending new key if there is one. The number of
 * published keys is limited, so frequent rotations would unpublish keys whose tokens are still valid.
 */
export const adminRotateSigningKeys: Handler<"adminRotateSigningKeys"> = async (
  deps,
  { caller, session },
) => {
  if (!deps.config.jwt.enabled) throw new WireError("SIGNED_TOKENS_ARE_NOT_ENABLED");
  const id = await deps.signingKeys.rotate({
    actor: sessionActor(session),
    caller,
    isNeeded: (keys) => !isTakingOver(keys, deps.clock()),
  });
  const keys = await listKeyEntries(deps);
  const key = keys.find((entry) => entry.id === id);
  if (!key) throw new Error("a signing key that was made is not published");
  return { reply: { key } };
};

/** Returns the public keys for verifying tokens, newest first. The first call creates a key if there is none. Caches may store them
 * for a minute, because a new key is published for longer before it signs. */
export const getJwks: Handler<"getJwks"> = async ({ signingKeys }, _call) => {
  const keys = await signingKeys.published();
  return { reply: { keys }, headers: { "cache-control": "public, max-age=60" } };
};
