import type { ErrorCode, RefusalReason, WireError } from "@latchkey/contracts";
import { createDailyTally } from "@latchkey/service-kit/statistics";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  addRefusals,
  addressesMax,
  type RefusalRow,
  type LastSignIn,
  upsertLastSignIns,
} from "./queries.ts";

const reasons: Partial<Record<ErrorCode, RefusalReason>> = {
  INVALID_EMAIL_OR_PASSWORD: "wrong-password",
  INVALID_USERNAME_OR_PASSWORD: "wrong-password",
  INVALID_PHONE_NUMBER_OR_PASSWORD: "wrong-password",
  INVALID_OTP: "wrong-code",
  OTP_EXPIRED: "wrong-code",
  TOO_MANY_ATTEMPTS: "rate-limited",
  TOO_MANY_REQUESTS: "rate-limited",
  INVALID_CODE: "wrong-second-factor",
  INVALID_BACKUP_CODE: "wrong-second-factor",
  OTP_HAS_EXPIRED: "wrong-second-factor",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "wrong-second-factor",
  ACCOUNT_TEMPORARILY_LOCKED: "second-factor-locked",
  TWO_FACTOR_REQUIRED: "second-factor-missing",
  BANNED_USER: "banned",
  EMAIL_NOT_VERIFIED: "address-not-verified",
  PHONE_NUMBER_NOT_VERIFIED: "address-not-verified",
  USERNAME_EMAIL_NOT_VERIFIED: "address-not-verified",
  VERIFICATION_EMAIL_ISNT_ENABLED: "address-not-verified",
  PASSWORD_CHANGE_REQUIRED: "password-compromised",
  AUTHENTICATION_FAILED: "passkey-refused",
  ACCOUNT_NOT_LINKED: "provider-refused",
};

/** Returns the reason of a refused sign-in. A provider's sign-in is refused by the provider unless the error says more. */
export const refusalReasonOf = (
  { code }: Pick<WireError, "code">,
  otherwise: RefusalReason = "other",
): RefusalReason => reasons[code] ?? otherwise;

/** A refused sign-in of a known user. */
export interface Refusal {
  userId: string;
  ipAddress: string;
  reason: RefusalReason;
}

interface RefusalTally {
  record(refusal: Refusal): void;
  /** Writes the refusals. If that fails, they are kept for the next time. */
  flush(): Promise<void>;
}

/** Addresses of users that wait to be written. Refusals beyond them are only part of the daily counts. */
const waitingMax = 10_000;

/** Counts refused sign-ins in memory and writes them in batches, so that no answer waits for them. The memory is bounded. */
export const createRefusalTally = ({
  clock,
  db,
}: {
  clock: () => number;
  db: Kysely<Tables>;
}): RefusalTally => {
  let addresses = new Map<string, Set<string>>();
  let waiting = 0;
  const tally = createDailyTally<Refusal, RefusalRow>({
    clock,
    nameOf: ({ userId, ipAddress, reason }) => `${userId} ${reason} ${ipAddress}`,
    newRow: (refusal, day) => {
      const at = new Date(clock());
      return { ...refusal, day, count: 0, firstAt: at, lastAt: at };
    },
    add: (to, from) => {
      to.count += from.count;
      if (from.firstAt < to.firstAt) to.firstAt = from.firstAt;
      if (from.lastAt > to.lastAt) to.lastAt = from.lastAt;
    },
    write: (rows) => addRefusals(db, rows),
  });
  /** Returns the address under which a refusal is counted. Undefined if no memory is left for it. */
  const placeOf = ({ userId, ipAddress }: Refusal): string | undefined => {
    const seenAddresses = addresses.get(userId) ?? new Set<string>();
    const place =
      seenAddresses.has(ipAddress) || seenAddresses.size < addressesMax ? ipAddress : "";
    if (seenAddresses.has(place)) return place;
    if (waiting >= waitingMax) return undefined;
    waiting += 1;
    addresses.set(userId, seenAddresses.add(place));
    return place;
  };
  return {
    record: (refusal) => {
      const ipAddress = placeOf(refusal);
      if (ipAddress === undefined) return;
      const row = tally.rowOf({ ...refusal, ipAddress });
      row.count += 1;
      row.lastAt = new Date(clock());
    },
    flush: async () => {
      await tally.flush();
      addresses = new Map();
      waiting = 0;
    },
  };
};

/** Keeps the last sign-in of each user in memory and writes them in batches, so that no sign-in waits for it. */
export const createLastSignInTally = ({
  clock,
  db,
}: {
  clock: () => number;
  db: Kysely<Tables>;
}): { record: (signIn: Omit<LastSignIn, "signedInAt">) => void; flush: () => Promise<void> } => {
  let waiting = new Map<string, LastSignIn>();
  return {
    record: (signIn) => {
      waiting.set(signIn.userId, { ...signIn, signedInAt: new Date(clock()) });
    },
    flush: async () => {
      if (waiting.size === 0) return;
      const rows = waiting;
      waiting = new Map();
      try {
        await upsertLastSignIns(db, [...rows.values()]);
      } catch (error) {
        for (const [userId, row] of rows) if (!waiting.has(userId)) waiting.set(userId, row);
        throw error;
      }
    },
  };
};
