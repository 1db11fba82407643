import { type Caller, type ErrorCode, WireError } from "@latchkey/contracts";
import { constantTimeEqual, unseal } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Deps } from "../deps.ts";
import {
  type CodeSubject,
  subjectsOf,
  browserMacs,
  codeMacs,
  browsersOf,
  type CodeOrigin,
  codePurpose,
  codeRules,
} from "./mailed-code.ts";
import {
  type GuessLimit,
  consumeCode,
  deleteCode,
  giveBackGuess,
  giveBackTry,
  takeGuess,
  takeTry,
  type TriedCode,
} from "./queries.ts";
import type { Tables } from "../db/tables.ts";

import type { CodeObserver } from "./observe-codes.ts";

/** Returns the limit of wrong codes for an address or number and a purpose. */
export const guessLimit = (
  deps: Pick<Deps, "clock" | "config">,
  { purpose }: CodeSubject,
): GuessLimit => ({
  ...codeRules(deps, purpose).guesses,
  now: new Date(deps.clock()),
});

/** Those who use up a count of wrong codes. Anybody who is signed out shares one. */
export interface Guesser {
  /** The user of the address, in a session. */
  isOfHolder?: boolean | undefined;
  /** A user who enters the code for a number in a session. Each has one, because the number may be nobody's yet. */
  guesserId?: string | undefined;
}

/** Names the count of wrong codes for an address or number and a purpose. */
export const guessKey = (
  { ring }: Pick<Deps, "ring">,
  { subject, isOfHolder = false, guesserId }: Guesser & { subject: CodeSubject },
): string => {
  const name = guesserId === undefined ? subject.name : `${subject.name}\0${guesserId}`;
  const [key = ""] = subjectsOf(ring, { ...subject, name });
  return isOfHolder ? `${key}:holder` : key;
};

export type ExamineCodeNeeds = Pick<Deps, "clock" | "codeObserver" | "config" | "db" | "ring">;

/** A right code. */
export interface RightCode {
  /** The code was requested in the caller's browser. */
  isOwn: boolean;
  origin: CodeOrigin;
  /** Uses up the code in the transaction of what it opens. Returns true for exactly one of several concurrent calls. */
  consume: (trx: Kysely<Tables>) => Promise<boolean>;
  /** Does the same, and throws `INVALID_OTP` for the others, which rolls their transactions back. */
  spend: (trx: Kysely<Tables>) => Promise<void>;
  /** Gives back the try of a code that is not used up. */
  giveBack: () => Promise<void>;
}

interface CodeAttempt extends Guesser {
  subject: CodeSubject;
  otp: string;
  caller: Caller;
}

/** Takes a try of the browser's own code. Without one, takes a try of the newest code of others. */
const takeAnyTry = async (
  deps: ExamineCodeNeeds,
  { subject, caller }: CodeAttempt,
): Promise<TriedCode | undefined> => {
  const { db, ring } = deps;
  const { allowedAttempts: max, sameBrowser } = codeRules(deps, subject.purpose);
  const rule = {
    subjects: subjectsOf(ring, subject),
    max,
    browsers: browsersOf(caller, subject.purpose).flatMap((browser) => browserMacs(ring, browser)),
    onlyServices: sameBrowser === "require",
  };
  const own = await takeTry(db, { ...rule, isOwn: true });
  return own ?? takeTry(db, { ...rule, isOwn: false });
};

const isRight = ({ ring }: ExamineCodeNeeds, { subject, otp }: CodeAttempt, code: string) =>
  codeMacs(ring, subject, otp)
    .map((mac) => constantTimeEqual(mac, code))
    .includes(true);

/** Returns the error of a code that may not be compared any more, or undefined. */
const endOf = async (
  deps: ExamineCodeNeeds,
  { purpose }: CodeSubject,
  { id, expiresAt, tries }: TriedCode,
): Promise<WireError | undefined> => {
  if (expiresAt.getTime() <= deps.clock()) {
    await deleteCode(deps.db, id);
    return new WireError("OTP_EXPIRED");
  }
  return tries > codeRules(deps, purpose).allowedAttempts
    ? new WireError("TOO_MANY_ATTEMPTS")
    : undefined;
};

const outcomes: Partial<Record<ErrorCode, Parameters<CodeObserver["record"]>[0]>> = {
  INVALID_OTP: "wrong",
  OTP_EXPIRED: "expired",
};

const compare = async (deps: ExamineCodeNeeds, attempt: CodeAttempt): Promise<RightCode> => {
  const { clock, db, ring } = deps;
  const key = guessKey(deps, attempt);
  if (!(await takeGuess(db, key, guessLimit(deps, attempt.subject))))
    throw new WireError("TOO_MANY_ATTEMPTS");
  const tried = await takeAnyTry(deps, attempt);
  if (!tried) {
    // Nothing was compared. Otherwise a stranger could end the codes of an address without a single mail to it.
    await giveBackGuess(db, key);
    throw new WireError("INVALID_OTP");
  }
  const end = await endOf(deps, attempt.subject, tried);
  if (!end && !isRight(deps, attempt, tried.code)) throw new WireError("INVALID_OTP");
  await giveBackGuess(db, key);
  if (end) throw end;
  const { id, code, isOwn, sealed } = tried;
  const origin = unseal(ring, codePurpose, sealed);
  const consume = (trx: Kysely<Tables>) => consumeCode(trx, { id, code, now: new Date(clock()) });
  return {
    isOwn,
    origin: JSON.parse(origin ?? "{}") as CodeOrigin,
    consume,
    spend: async (trx) => {
      if (!(await consume(trx))) throw new WireError("INVALID_OTP");
    },
    giveBack: () => giveBackTry(db, { id, code, isOwn }),
  };
};

/**
 * Compares a code, after a guess for the address and a try of the code were taken. The answers are the same for addresses that were
 * mailed nothing. Throws `INVALID_OTP`, `OTP_EXPIRED` and `TOO_MANY_ATTEMPTS`.
 */
export const examineCode = async (
  deps: ExamineCodeNeeds,
  attempt: CodeAttempt,
): Promise<RightCode> => {
  try {
    const right = await compare(deps, attempt);
    deps.codeObserver.record("right");
    return right;
  } catch (error) {
    if (error instanceof WireError) deps.codeObserver.record(outcomes[error.code] ?? "refused");
    throw error;
  }
};
