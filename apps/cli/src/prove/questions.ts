import { type Operation, operations } from "@latchkey/contracts";
import type { Account, CheckContext } from "./check-context.ts";
import { NotProven } from "./not-proven.ts";

const { identity } = operations;

/** A user whose existence is tested. */
export interface Asked {
  email: string;
  username: string;
}

/** A request about any user that needs no password or session. */
export interface Question {
  name: string;
  operation: Operation;
  body: (asked: Asked) => object;
  /** The kind of account whose reply takes the most work. */
  about: Kind;
}

export const kinds = ["verified", "unverified", "banned"] as const;
export type Kind = (typeof kinds)[number];

const wrong = "no password of anybody";

/** The questions whose times are compared too. */
export const questions: readonly Question[] = [
  {
    name: "sign-in by address",
    operation: identity.signInEmail,
    body: ({ email }) => ({ email, password: wrong }),
    about: "verified",
  },
  {
    name: "sign-in by username",
    operation: identity.signInUsername,
    body: ({ username }) => ({ username, password: wrong }),
    about: "verified",
  },
  {
    name: "password reset",
    operation: identity.requestPasswordReset,
    body: ({ email }) => ({ email, redirectTo: "/reset" }),
    about: "verified",
  },
  {
    name: "password reset by its older name",
    operation: identity.forgetPassword,
    body: ({ email }) => ({ email }),
    about: "verified",
  },
  {
    name: "verification mail",
    operation: identity.sendVerificationEmail,
    body: ({ email }) => ({ email }),
    about: "unverified",
  },
  {
    name: "sign-in link",
    operation: identity.signInMagicLink,
    body: ({ email }) => ({ email }),
    about: "verified",
  },
  {
    name: "sign-in code",
    operation: identity.sendVerificationOtp,
    body: ({ email }) => ({ email, type: "sign-in" }),
    about: "verified",
  },
  {
    name: "reset code",
    operation: identity.requestPasswordResetOtp,
    body: ({ email }) => ({ email }),
    about: "verified",
  },
];

/** Wrong codes of an address are limited per day, so their times cannot be sampled. */
const guesses: readonly Question[] = [
  {
    name: "sign-in by code",
    operation: identity.signInEmailOtp,
    body: ({ email }) => ({ email, otp: "not a code" }),
    about: "verified",
  },
  {
    name: "reset by code",
    operation: identity.resetPasswordOtp,
    body: ({ email }) => ({ email, otp: "not a code", password: wrong }),
    about: "verified",
  },
];

/** The questions whose answers are compared. */
export const comparedQuestions: readonly Question[] = [...questions, ...guesses];

/** Returns a new unknown user each time. */
export const nobodyOf = ({ newName, emailOf }: CheckContext): Asked => {
  const name = newName();
  return { email: emailOf(name), username: name.replaceAll("-", "_") };
};

const data: Readonly<Record<Kind, object>> = {
  verified: { emailVerified: true },
  unverified: { emailVerified: false },
  banned: { emailVerified: true, banned: true },
};

/** Creates a user of a kind. */
export const createKnown = async (context: CheckContext, kind: Kind): Promise<Asked> => {
  const username = context.newName().replaceAll("-", "_");
  const withName = { ...data[kind], username };
  // Without usernames enabled, the user has none.
  const made: Account = await context
    .createUser({ data: withName })
    .catch((error: unknown) =>
      error instanceof NotProven ? context.createUser({ data: data[kind] }) : Promise.reject(error),
    );
  return { email: made.email, username };
};
