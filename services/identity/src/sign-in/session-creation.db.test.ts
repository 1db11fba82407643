import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { type AuthenticationMethod, type Operation, operations } from "@latchkey/contracts";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { operations as handlers } from "../operations.ts";
import { changePassword } from "../passwords/change-password.ts";
import {
  callOf,
  clock,
  password,
  readSessionOf,
  secondFactorDeps,
  seedApp,
} from "../second-factor/test-second-factor.fixture.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { signInEmail } from "./sign-in-password.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = secondFactorDeps(identityConfig(), db);

const source = join(import.meta.dirname, "..");
const starts = "sessions/create-session.ts";
const secondFactorGate = "sign-in/finish-sign-in.ts";

const texts = new Map(
  globSync("**/*.ts", { cwd: source })
    .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(source, file), "utf8")]),
);

/** A function or value of a file, as `file#name`. */
type Place = `${string}#${string}`;

/** Returns the places of what a file imports from others of this service, by their names in that file. */
const importsOf = (file: string, text: string): [name: string, place: Place][] =>
  [...text.matchAll(/^import \{([^}]*)\} from "(\.[^"]+)"/gm)].flatMap(([, list = "", from = ""]) =>
    list
      .split(",")
      .map((entry) => entry.trim().split(" as "))
      .filter(([name = ""]) => name !== "" && !name.startsWith("type "))
      .map(([name = "", local = name]): [string, Place] => [
        local,
        `${normalize(join(file, "..", from))}#${name}`,
      ]),
  );

/** The places that each function or value may use: those whose names it contains. */
const uses = new Map<Place, readonly Place[]>(
  [...texts].flatMap(([file, text]) => {
    const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/ .*$|<"[^>]*>/gm, ""); // without comments and names of operations in types
    const parts = code.split(
      /^(?=(?:export )?(?:async )?(?:const|function|class|type|interface) )/m,
    );
    const named = parts.flatMap((part) => {
      const [, name] = /^(?:export )?(?:async )?(?:const|function|class) (\w+)/.exec(part) ?? [];
      return name === undefined ? [] : [{ name, part }];
    });
    const places = new Map<string, Place>([
      ...importsOf(file, text),
      ...named.map(({ name }): [string, Place] => [name, `${file}#${name}`]),
    ]);
    return named.map(({ name, part }): [Place, Place[]] => [
      `${file}#${name}`,
      [...new Set(part.match(/\w+/g))]
        .filter((word) => word !== name)
        .flatMap((word) => places.get(word) ?? []),
    ]);
  }),
);

/** Returns whether a place can start a session, directly or by what it uses, but not by way of the `closed` files. */
const canStart = (place: Place, closed: readonly string[], seen = new Set<Place>()): boolean => {
  if (place === `${starts}#createSession`) return true;
  if (seen.has(place) || closed.some((file) => place.startsWith(`${file}#`))) return false;
  seen.add(place);
  return (uses.get(place) ?? []).some((used) => canStart(used, closed, seen));
};

/** Returns the operations whose handlers can start a session, by another way than the `closed` files. */
const startingOperations = (closed: readonly string[] = []): string[] => {
  const text = texts.get("operations.ts") ?? "";
  const able = importsOf("operations.ts", text)
    .filter(([, place]) => canStart(place, closed))
    .map(([name]) => name);
  const [, table = ""] = text.split("export const operations");
  return Object.keys(handlers)
    .filter((name) => {
      const entry = new RegExp(`^  ${name}(?:,$|:[^]*?,$)`, "m").exec(table)?.[0] ?? "";
      return able.some((handler) => new RegExp(`\\b${handler}\\b`).test(entry));
    })
    .toSorted();
};

/** Sign-ins, which start sessions by `finishSignIn` alone. It asks for the second factor. */
const signIns = [
  "callback",
  "callbackPost",
  "completeSignUp",
  "oauthProxyCallback",
  "oauthProxyCompletion",
  "signInEmail",
  "signInEmailOtp",
  "signInOneTap",
  "signInPhoneNumber",
  "signInSocial",
  "signInUsername",
  "verifyEmail",
  "verifyEmailOtp",
  "verifyEmailPost",
  "verifyMagicLink",
  "verifyMagicLinkPost",
  "verifyPhoneNumber",
];

/** Why an operation needs no question for the second factor, although it can start a session by itself. */
const others = {
  adminImpersonateUser: "the admin's session must be strong",
  adminOpenImpersonationLink: "the admin's session must be strong when the link is created",
  changePassword: "replaces the caller's session, with what that has shown",
  completeFirstRun: "registers its user, who has no second factor yet",
  disableTwoFactor: "replaces the caller's session, which must be strong",
  enableTwoFactor: "replaces the caller's session, with what that has shown",
  signInAnonymous: "creates its guest, who has no way to sign in",
  startDeviceSession: "its user has allowed it in another session, whose factors it has",
  signUpEmail: "registers its user, who has no second factor yet",
  verifyAuthentication: "replaces the caller's session, or completes a sign-in by another factor",
  verifyBackupCode: "passes the second factor",
  verifyTotp: "passes the second factor",
  verifyTwoFactorCode: "passes the second factor",
} as const;

/** Operations whose reply shows a session, or a token, that exists already. */
const shows = [
  "adminStopImpersonating",
  "generateOneTimeToken",
  "getSession",
  "getToken",
  "readTwoFactorStatus",
  "refreshSession",
  "resolveSession",
  "setActiveDeviceSession",
  "updateSession",
  "verifyOneTimeToken",
  "verifyRegistration",
];

const openingMembers = ["session", "token", "twoFactorRedirect"];

/** Returns whether a reply can contain what opens a session, or the request for a second factor. */
const canOpen = (schema: unknown): boolean => {
  if (schema instanceof z.ZodUnion) return schema.options.some(canOpen);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return canOpen(schema.unwrap());
  return (
    schema instanceof z.ZodObject &&
    openingMembers.some((name) => Object.hasOwn(schema.shape, name))
  );
};

/** Returns whether the contract of an operation speaks of a session that starts. */
const speaksOfSession = ({ reply, errors }: Operation): boolean =>
  canOpen(reply) || errors.flat().some((error) => String(error).endsWith("_CREATE_SESSION"));

/** A new operation that can start a session fails these tests until it is listed here with its reason. */
describe("the operations that can start a session", () => {
  test("are sign-ins, which ask for the second factor, and those with a reason not to", () => {
    expect(startingOperations([secondFactorGate])).toEqual(Object.keys(others).toSorted());
    expect(startingOperations()).toEqual([...signIns, ...Object.keys(others)].toSorted());
  });

  test("include every one whose contract speaks of a session, unless that exists already", () => {
    const declared = Object.values<Operation>(operations.identity).filter(speaksOfSession);
    const listed = new Set([...signIns, ...Object.keys(others), ...shows]);
    expect(declared.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
    expect(shows.filter((name) => !declared.some((one) => one.name === name))).toEqual([]);
    expect(startingOperations().filter((name) => shows.includes(name))).toEqual([]);
  });

  test("write the session in one place", () => {
    const writers = [...texts].filter(([, text]) => /\bsessions\.insert(?:Imported)?\(/.test(text));
    expect(writers.map(([file]) => file).toSorted()).toEqual(["import/import-sessions.ts", starts]);
  });

  test("need a session, and a strong one where they rely on it", () => {
    const { adminCreateImpersonationLink, adminImpersonateUser } = operations.identity;
    const { changePassword: change, disableTwoFactor } = operations.identity;
    for (const { stepUp } of [adminCreateImpersonationLink, adminImpersonateUser])
      expect(stepUp.asks).toBe("always");
    expect(disableTwoFactor.stepUp.asks).toBe("withSecondFactor");
    expect(change.access).toBe("session");
  });
});

const countSessions = async (userId: string): Promise<number> =>
  (await deps.sessions.list(userId, new Date(clock.now()), 10)).length;

const methods: AuthenticationMethod[] = [
  "email-otp",
  "magic-link",
  "passkey",
  "password",
  "sms-otp",
  "social:google",
];

describe("with the second factor on", () => {
  test.each(methods)("a sign-in by %s starts no session", async (method) => {
    const { userId } = await seedApp(deps);
    const user = await findUser(deps, { id: userId });
    if (!user) throw new Error("there is no such user");
    const outcome = await finishSignIn(deps, { user, method, caller: newCaller(), remember: true });
    expect(outcome).toEqual({
      kind: "challenge",
      challenge: { twoFactorRedirect: true, twoFactorMethods: ["totp"] },
      effect: { kind: "clear", keeps: { twoFactor: expect.anything() } },
    });
    expect(await countSessions(userId)).toBe(1);
  });

  test("the right password gives no token, user or session", async () => {
    const { userId } = await seedApp(deps);
    const { email = "" } = (await findUser(deps, { id: userId })) ?? {};
    const answer = await signInEmail(deps, callOf(newCaller(), { email, password }));
    expect(answer).toEqual({
      reply: { twoFactorRedirect: true, twoFactorMethods: ["totp"] },
      effect: { kind: "clear", keeps: { twoFactor: expect.anything() } },
    });
    expect(await countSessions(userId)).toBe(1);
  });

  test.each([true, false])(
    "a change of the password starts a session that has shown it no later (shown: %s)",
    async (isShown) => {
      const { userId, caller } = await seedApp(deps);
      const current = await resolveSession(deps, caller, { disableRefresh: true });
      if (!current) throw new Error("the session has ended");
      const { authentication } = current;
      const shown = isShown ? authentication : { ...authentication, secondFactorAt: null };
      const body = {
        currentPassword: password,
        newPassword: "a new one",
        revokeOtherSessions: true,
      };
      const session = { ...current, authentication: shown };
      await changePassword(deps, { ...callOf(caller, body), session });
      const { secondFactorAt } = (await readSessionOf(deps, userId)) ?? {};
      expect(secondFactorAt).toEqual(shown.secondFactorAt);
    },
  );
});
