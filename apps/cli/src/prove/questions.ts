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
];

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
