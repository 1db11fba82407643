import { isChallenge, keptCookies, type Operation, operations } from "@latchkey/contracts";
import type { Check, Found } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { describeAnswer, done } from "../../done.ts";
import type { Browser } from "../../http/browser.ts";
import type { Answer } from "../../http/connections.ts";
import { inputOf, noIds } from "../../input-of.ts";
import { requestSignInCode, requestSignInLink } from "../../mailed-sign-ins.ts";
import { isNotOffered, publicOperations, signedOutStatus } from "../../offered-operations.ts";
import { type AppHolder, newAppHolder } from "../../second-factors.ts";
import { registerPasskey } from "../../software-passkey.ts";

const { identity } = operations;

/** The end of a first factor: the answer, and the browser that has got it. */
interface Shown {
  answer: Answer;
  browser: Browser;
}

/** A way to sign in that is one factor. */
interface FirstFactor {
  name: string;
  show(context: CheckContext, holder: AppHolder): Promise<Shown>;
}

const ways: readonly FirstFactor[] = [
  {
    name: "a password",
    show: async ({ anybody }, { email, password }) => {
      const browser = anybody();
      const answer = await browser.ask(identity.signInEmail, { body: { email, password } });
      return { answer, browser };
    },
  },
  {
    name: "a mailed link",
    show: async (context, { email }) => {
      const { browser, token } = await requestSignInLink(context, email);
      const answer = await browser.ask(identity.verifyMagicLinkPost, { body: { token } });
      return { answer, browser };
    },
  },
  {
    name: "a mailed code",
    show: async (context, { email }) => {
      const { browser, otp } = await requestSignInCode(context, email);
      const answer = await browser.ask(identity.signInEmailOtp, { body: { email, otp } });
      return { answer, browser };
    },
  },
  {
    name: "a passkey that does not verify its user",
    show: async (context, holder) => {
      const passkey = await registerPasskey(context, holder.browser);
      const browser = context.anybody();
      const body = { response: await passkey.respond(browser) };
      return { answer: await browser.ask(identity.verifyAuthentication, { body }), browser };
    },
  },
];

const keptNames = Object.values(keptCookies);
const sessionHeaders = ["set-auth-token", "set-auth-jwt"];
const sessionMembers = ["token", "session", "user"];

const isDeletion = (cookie: string): boolean => /;\s*max-age=0\b/i.test(cookie);

/** Returns everything in an answer that could open a session. */
const openingsOf = ({ body, headers, cookies }: Answer): string[] => {
  const members = body as Record<string, unknown>;
  const names = cookies
    .filter((cookie) => !isDeletion(cookie))
    .map((cookie) => cookie.split("=")[0]);
  return [
    ...sessionMembers.filter((name) => Boolean(members[name])).map((name) => `the member ${name}`),
    ...sessionHeaders.filter((name) => headers[name]).map((name) => `the header ${name}`),
    ...names
      .filter((name = "") => !keptNames.some((kept) => name.endsWith(`.${kept}`)))
      .map((name) => `the cookie ${name}`),
  ];
};

/** The operations by which a thief of the first factor would go on. */
const coveted: readonly Operation[] = [
  identity.listSessions,
  identity.listAccounts,
  ...publicOperations.filter(
    ({ access, feature }) =>
      access !== "anyone" && (feature === "passkey" || feature === "twoFactor"),
  ),
];

/** Uses what the browser holds as a session, in every place where a session can be. Returns the problems. */
const goOn = async ({ browser, answer }: Shown): Promise<string[]> => {
  const problems: string[] = [];
  const cookieValues = [
    ...browser.cookies.values(),
    String(answer.headers["set-two-factor"] ?? ""),
  ];
  for (const value of ["", ...cookieValues]) {
    const headers = value === "" ? {} : { authorization: `Bearer ${decodeURIComponent(value)}` };
    const sessionAnswer = await browser.ask(identity.getSession, {}, { headers });
    if (sessionAnswer.status === 200 && sessionAnswer.body !== null)
      problems.push(`get-session answered ${describeAnswer(sessionAnswer)}`);
  }
  for (const operation of coveted) {
    const operationAnswer = await browser.ask(operation, inputOf(operation, { ids: noIds }));
    if (operationAnswer.status !== signedOutStatus(operation) && !isNotOffered(operationAnswer))
      problems.push(`${operation.name} answered ${describeAnswer(operationAnswer)}`);
  }
  return problems;
};

const countSessions = async ({ admin }: CheckContext, userId: string): Promise<number> => {
  const answer = admin().ask(identity.adminListUserSessions, { body: { userId } });
  return (await done(answer, "an admin who may list sessions (session: list)")).sessions.length;
};

const judge = async (
  context: CheckContext,
  holder: AppHolder,
  { show }: FirstFactor,
): Promise<Found> => {
  const before = await countSessions(context, holder.id);
  const shown = await show(context, holder);
  const { answer } = shown;
  await done(Promise.resolve(answer), "a sign-in");
  const started = (await countSessions(context, holder.id)) - before;
  const openings = openingsOf(answer);
  return {
    figures: `one sign-in, then ${coveted.length} operations with all that it gave`,
    problems: [
      ...(isChallenge(answer.body as object) ? [] : ["the second factor was not asked for"]),
      ...(started === 0 ? [] : [`${started} sessions started`]),
      ...openings.map((opening) => `the answer contains ${opening}`),
      ...(await goOn(shown)),
    ],
  };
};

const checkOf = (way: FirstFactor): Check => ({
  class: "factors",
  name: `${way.name} alone opens nothing of a user with a second factor`,
  remedy: "Second factors can be passed by. Check hooks that create sessions, and update Latchkey.",
  run: async (context) => judge(context, await newAppHolder(context), way),
});

/** Attack: signing in with a stolen first factor. */
export const firstFactors: readonly Check[] = ways.map(checkOf);
