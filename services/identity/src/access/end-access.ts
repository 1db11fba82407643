import {
  tokensEndingWith,
  type AccessKind,
  type Ending,
  endsOf,
  type Event,
  type FactName,
} from "@latchkey/contracts";
import type { Kysely, Transaction } from "kysely";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type CodeSubject, type MailedPurpose, subjectsOf } from "../email-codes/mailed-code.ts";
import { deleteCodesOf } from "../email-codes/queries.ts";
import { dropSecrets } from "../secrets/secrets.ts";
import { linkSubjects } from "../secrets/magic-link.ts";
import { raiseAccessEpoch } from "../rows/access-epochs.ts";
import { deleteKnownBrowsers } from "../rows/known-browsers.ts";
import { deleteTrustedDevices, dropPendingApp, endChallenges } from "../rows/second-factors.ts";

/** The purposes of codes that are mailed to an address of a user. */
const purposes: MailedPurpose[] = ["sign-in", "email-verification", "forget-password"];
/** The purposes of codes in text messages to the number of a user. */
const textPurposes = ["phone-number", "phone-password-reset"] as const;

interface MailedTo {
  userId: string;
  /** The address before a change in this transaction. */
  formerEmail?: string | undefined;
}

const recipientsOf = async (trx: Kysely<Tables>, { userId, formerEmail }: MailedTo) => {
  const query = trx.selectFrom("user").select(["email", "phoneNumber"]).where("id", "=", userId);
  const row = await query.executeTakeFirst();
  return {
    addresses: [...new Set([row?.email, formerEmail])].filter((address) => address !== undefined),
    numbers: row?.phoneNumber ? [row.phoneNumber] : [],
  };
};

/** Deletes the links and codes that were sent to a user's address or number, or for a change of the address, and have not been used. */
const endMailedSignIns = async (
  trx: Kysely<Tables>,
  { ring }: Pick<Deps, "ring">,
  of: MailedTo,
): Promise<void> => {
  const { addresses, numbers } = await recipientsOf(trx, of);
  await dropSecrets(trx, tokensEndingWith(["mailedSignIns"], "address"), {
    holder: addresses.flatMap((address) => linkSubjects(ring, address)),
  });
  const codes: CodeSubject[] = [
    ...addresses.flatMap((name) => purposes.map((purpose) => ({ purpose, name }))),
    ...numbers.flatMap((name) => textPurposes.map((purpose) => ({ purpose, name }))),
    { purpose: "change-email", name: of.userId },
  ];
  await deleteCodesOf(
    trx,
    codes.flatMap((subject) => subjectsOf(ring, subject)),
  );
};

export type EndAccessNeeds = Pick<Deps, "clock" | "newEventId" | "ring">;

interface AccessEnd {
  userId: string;
  fact: FactName;
  /** The address before a change in the same transaction. */
  formerEmail?: string;
  /** The sessions of a fact that does not end all. Default: none. `except`: the hash of the token that stays. */
  sessions?: "all" | "none" | { except: Buffer | undefined };
  /** The hash of the token of the waiting sign-in that the fact belongs to. */
  exceptChallenge?: Buffer | undefined;
}

/** The events by which the service of API keys ends all keys of a user. Those of a ban, a deletion and a new password hold more. */
const keyEvents: Partial<Record<Ending, "user.claimed" | "user.secured">> = {
  all: "user.claimed",
  disabled: "user.secured",
};

/** Publishes the event that ends sessions in case this process dies before it does so. */
const announceSessions = async (
  trx: Transaction<Tables>,
  deps: EndAccessNeeds,
  { userId, sessions = "none" }: Pick<AccessEnd, "sessions" | "userId">,
): Promise<void> => {
  if (sessions === "none") return;
  const except = sessions === "all" ? undefined : sessions.except?.toString("hex");
  const data = { userId, ...(except === undefined ? {} : { exceptHash: except }) };
  await appendEvent(trx, deps, { name: "session.revoked-all", data });
};

/**
 * Ends the access of a user that a fact ends, by its declaration. Runs in the transaction of the fact, with the user locked. Returns the
 * event that ends or disables API keys, which is urgent. `endSessions` follows the commit.
 */
export const endAccess = async (
  trx: Transaction<Tables>,
  deps: EndAccessNeeds,
  { userId, fact, formerEmail, sessions, exceptChallenge }: AccessEnd,
): Promise<Event<"user.claimed" | "user.secured"> | undefined> => {
  const ends = endsOf(fact);
  if (ends.waiting) {
    await endChallenges(trx, userId, { exceptChallenge });
    await dropPendingApp(trx, userId);
  }
  if (ends.trust) {
    await deleteTrustedDevices(trx, userId);
    await deleteKnownBrowsers(trx, userId);
  }
  if (ends.mailedSignIns) await endMailedSignIns(trx, deps, { userId, formerEmail });
  const names = tokensEndingWith(Object.keys(ends) as AccessKind[], "user");
  await dropSecrets(trx, names, { holder: userId });
  if (ends.grants === "all" || (ends.grants && (sessions ?? "none") !== "none"))
    await raiseAccessEpoch(trx, userId);
  if (ends.sessions)
    await announceSessions(trx, deps, {
      userId,
      sessions: ends.sessions === "all" ? "all" : (sessions ?? "none"),
    });
  const name = ends.apiKeys && keyEvents[ends.apiKeys];
  return name && appendEvent(trx, deps, { name, data: { userId } });
};
