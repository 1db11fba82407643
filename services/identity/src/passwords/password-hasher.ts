import { availableParallelism } from "node:os";
import {
  createHashPool,
  hashPassword,
  isPasswordUpgrade,
  upgradePasswordHash,
  verifyPassword,
} from "@latchkey/crypto";
import type { IdentityConfig } from "../config.ts";
import { observeHashPool, type PoolObservers } from "./observe-hash-pool.ts";

export interface PasswordHasher {
  /** Returns the text to store for a password. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether a password is right. Without a stored hash it does the same work and returns false, so that the time
   * reveals nothing.
   */
  verify(stored: string | null | undefined, password: string): Promise<boolean>;
  /**
   * Returns another hash of a verified password if the stored one differs in form or parameters from new ones. Returns
   * undefined if it does not, and while other hashes wait: the next sign-in tries again. Concurrent calls return the same.
   */
  upgrade(stored: string, password: string): Promise<string | undefined>;
  /** Returns whether a hash is the upgrade of a stored one, and therefore of the same password. */
  isUpgrade(hash: string, stored: string): boolean;
}

/** Longer passwords are rejected, because normalising a megabyte would block the event loop. In UTF-16 units. */
const passwordLengthMax = 4_096;

/** Node's default number of threads for scrypt. */
const threadsOfNode = 4;

/** Creates the hasher: the built-in scrypt or the functions of the options, in a bounded pool either way. */
export const createPasswordHasher = (
  options: IdentityConfig["emailAndPassword"]["password"],
  observers?: PoolObservers,
): PasswordHasher => {
  const concurrency = options.concurrency ?? Math.min(availableParallelism(), threadsOfNode);
  const bare = createHashPool({ concurrency, queueMax: options.queueMax });
  const pool = observers ? observeHashPool(bare, observers) : bare;
  const { form, hash: ownHash, verify: ownVerify } = options;
  const hash = (password: string) =>
    ownHash ? pool.run(() => ownHash(password)) : hashPassword(pool, password, form);
  return {
    hash,
    verify: async (stored, password) => {
      if (!stored || password.length > passwordLengthMax) {
        await hash(password.slice(0, passwordLengthMax));
        return false;
      }
      return ownVerify
        ? pool.run(() => ownVerify({ hash: stored, password }))
        : verifyPassword(pool, stored, password);
    },
    upgrade: async (stored, password) =>
      ownHash || pool.stats().waiting > 0
        ? undefined
        : upgradePasswordHash(pool, password, { stored, form }),
    isUpgrade: isPasswordUpgrade,
  };
};
