import { type Operation, operations } from "@latchkey/contracts";
import type { Account, Ground } from "./ground.ts";
import { NotProven } from "./not-proven.ts";

const { identity } = operations;

/** Somebody who may be asked about. */
export interface Asked {
  email: string;
  username: string;
}

/** What anybody may ask about anybody, without a password or a session. */
export interface Question {
  name: string;
  operation: Operation;
  body: (asked: Asked) => object;
  /** Of whom there are several kinds, the one whose answer does the most work. */
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

/** Somebody whom nobody knows, a new one each time. */
export const nobodyOf = ({ newName, emailOf }: Ground): Asked => {
  const name = newName();
  return { email: emailOf(name), username: name.replaceAll("-", "_") };
};

const data: Readonly<Record<Kind, object>> = {
  verified: { emailVerified: true },
  unverified: { emailVerified: false },
  banned: { emailVerified: true, banned: true },
};

/** Somebody of a kind, whom the deployment knows. */
export const createKnown = async (ground: Ground, kind: Kind): Promise<Asked> => {
  const username = ground.newName().replaceAll("-", "_");
  const withName = { ...data[kind], username };
  // Where usernames are off, nobody has one.
  const made: Account = await ground
    .createUser({ data: withName })
    .catch((error: unknown) =>
      error instanceof NotProven ? ground.createUser({ data: data[kind] }) : Promise.reject(error),
    );
  return { email: made.email, username };
};
