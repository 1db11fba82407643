import { availableParallelism } from "node:os";
import { createHashPool, hashPassword, verifyPassword } from "@latchkey/crypto";
import type { IdentityConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { observeHashPool } from "./observe-hash-pool.ts";

export interface PasswordHasher {
  /** The text to store for a password. */
  hash(password: string): Promise<string>;
  /** Whether a password fits. Without a stored hash it does the same work and says no, so that time tells nothing. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>;
}

/** Nobody has a longer one, and normalising a megabyte would hold up everybody. In UTF-16 units. */
const passwordLengthMax = 4_096;

/** Threads that Node gives to scrypt unless told otherwise. */
const threadsOfNode = 4;

/** The built-in scrypt, or the functions of the options, in a pool that is bounded either way. */
export const createPasswordHasher = (
  options: IdentityConfig["emailAndPassword"]["password"],
  observers?: Pick<Deps, "metrics" | "tracing">,
): PasswordHasher => {
  const concurrency = options.concurrency ?? Math.min(availableParallelism(), threadsOfNode);
  const bare = createHashPool({ concurrency, queueMax: options.queueMax });
  const pool = observers ? observeHashPool(bare, observers) : bare;
  const { hash: ownHash, verify: ownVerify } = options;
  const hash = (password: string) =>
    ownHash ? pool.run(() => ownHash(password)) : hashPassword(pool, password);
  const verify = async (stored: string | null | undefined, password: string) => {
    if (!stored || password.length > passwordLengthMax) {
      await hash(password.slice(0, passwordLengthMax));
      return false;
    }
    return ownVerify
      ? pool.run(() => ownVerify({ hash: stored, password }))
      : verifyPassword(pool, stored, password);
  };
  return { hash, verify };
};
