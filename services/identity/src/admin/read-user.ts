import {
  type OperationReply,
  type operations,
  mayActOn,
  WireError,
  hasPermissions,
} from "@latchkey/contracts";
import { readUncounted } from "@latchkey/service-kit/lists";
import { countAccounts } from "../rows/accounts.ts";
import { countWaysIn, showAccounts } from "../accounts/own-accounts.ts";
import type { Deps, Handler } from "../deps.ts";
import { findWaitingChallenge } from "../rows/challenges.ts";
import { countBackupCodes } from "../second-factor/backup-codes.ts";
import { offeredMethods } from "../second-factor/offered-methods.ts";
import { findTwoFactor } from "../rows/second-factors.ts";
import { findResetRequired } from "../rows/passwords.ts";
import { findInvitation, type OpenInvitation } from "../users/invitations/queries.ts";
import { isPlaceholderEmail } from "../users/email.ts";
import { isBanned, type UserRow } from "../users/user-row.ts";
import {
  listRefusalTotals,
  refusalList,
  findLastSignIn,
  type LastSignIn,
} from "../refused-sign-ins/queries.ts";
import { countTrustedDevices } from "../rows/trusted-devices.ts";
import { countPasskeys } from "../rows/passkeys.ts";
import { findPassword } from "../access/check-password.ts";
import { findUser } from "../users/find-users.ts";
import type { StoredSession } from "../sessions/store/session-store.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "limits">;

type SignInProblem = OperationReply<
  typeof operations.identity.adminReadSignInState
>["problems"][number];

/** Earlier refusals no longer explain why a user cannot sign in. */
const refusalMilliseconds = 7 * 86_400_000;

const banOf = ({ clock }: Needs, user: UserRow): SignInProblem[] =>
  isBanned(user, clock())
    ? [
        {
          kind: "banned",
          blocks: true,
          until: user.banExpires,
          reason: user.banReason,
        },
      ]
    : [];

const unverifiedOf = ({ config }: Needs, { email, emailVerified }: UserRow): SignInProblem[] =>
  emailVerified
    ? []
    : [
        {
          kind: "address-not-verified",
          blocks: config.emailAndPassword.requireEmailVerification,
          canResend: config.emailVerification.enabled && !isPlaceholderEmail(email),
        },
      ];

/** Sign-in methods that are missing, or whose password an admin has ended. */
const methodsOf = async (
  deps: Needs,
  user: UserRow,
  invitation: OpenInvitation | undefined,
): Promise<SignInProblem[]> => {
  const [ways, accounts, since] = await Promise.all([
    countWaysIn(deps, deps.db, user),
    countAccounts(deps.db, user.id),
    findResetRequired(deps.db, user.id),
  ]);
  if (since)
    return [
      {
        kind: "password-reset-required",
        blocks: ways === 1 && accounts === 1,
        since: since,
      },
    ];
  if (ways > 0) return [];
  if (!invitation) return [{ kind: "no-sign-in-method", blocks: true }];
  const { invitedAt, expiresAt } = invitation;
  return [{ kind: "invited", blocks: true, since: invitedAt, until: expiresAt }];
};

const secondFactorOf = async (deps: Needs, user: UserRow): Promise<SignInProblem[]> => {
  const { config, db, clock } = deps;
  if (!config.twoFactor.enabled) return [];
  const now = new Date(clock());
  const [row, backupCodes, waiting] = await Promise.all([
    findTwoFactor(db, user.id),
    countBackupCodes(db, user.id),
    findWaitingChallenge(db, user.id, now),
  ]);
  const problems: SignInProblem[] = [];
  const isUnusable =
    user.twoFactorEnabled &&
    backupCodes === 0 &&
    offeredMethods(deps, row, ["password"]).length === 0;
  if (isUnusable) problems.push({ kind: "second-factor-unusable", blocks: true });
  const { lockedUntil = null } = row ?? {};
  if (config.twoFactor.accountLockout.enabled && lockedUntil && lockedUntil > now)
    problems.push({
      kind: "second-factor-locked",
      blocks: true,
      until: lockedUntil,
    });
  if (waiting)
    problems.push({
      kind: "second-factor-pending",
      blocks: false,
      isEnrolment: waiting.purpose === "enrol",
      since: waiting.createdAt,
      until: waiting.expiresAt,
    });
  return problems;
};

const mailLimitOf = async ({ limits, db }: Needs, { email }: UserRow): Promise<SignInProblem[]> => {
  const until = await limits.readMailLimit(db, email);
  return until ? [{ kind: "mail-limit-reached", blocks: false, until }] : [];
};

const refusalsOf = async (
  { db, clock }: Needs,
  { id }: UserRow,
  { since, seesAddresses }: ProblemScope,
): Promise<SignInProblem[]> => {
  const weekAgo = new Date(clock() - refusalMilliseconds);
  const totals = await listRefusalTotals(db, id, since && since > weekAgo ? since : weekAgo);
  return totals.map(({ reason, count, addressCount, ipAddress, lastAt }) => ({
    kind: "refused",
    blocks: false,
    reason,
    count,
    addressCount,
    ipAddress: seesAddresses ? ipAddress || null : null,
    lastAt,
  }));
};

interface ProblemScope {
  /** The last sign-in. Refusals before it no longer matter. */
  since: Date | undefined;
  seesAddresses: boolean;
}

/** Returns everything that keeps a user from signing in, or recently has. Problems that block every sign-in come first. */
export const listSignInProblems = async (
  deps: Needs,
  user: UserRow,
  scope: ProblemScope,
): Promise<SignInProblem[]> => {
  const now = new Date(deps.clock());
  const invitation = await findInvitation(deps.db, { userId: user.id, now });
  const problemLists = await Promise.all([
    methodsOf(deps, user, invitation),
    secondFactorOf(deps, user),
    mailLimitOf(deps, user),
    refusalsOf(deps, user, scope),
  ]);
  // The link of an invitation verifies the address too.
  const isInvited = problemLists.flat().some(({ kind }) => kind === "invited");
  const unverified = isInvited ? [] : unverifiedOf(deps, user);
  const problems = [...banOf(deps, user), ...unverified, ...problemLists.flat()];
  return problems.toSorted((one, other) => Number(other.blocks) - Number(one.blocks));
};

const dayLength = "YYYY-MM-DD".length;
const dayMilliseconds = 86_400_000;

/** Returns the exclusive end of an inclusive time or day. */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === dayLength ? dayMilliseconds : 1));

/** Returns a page of the refused sign-ins, latest first. Throws `VALIDATION_ERROR` for an invalid limit or cursor. */
export const adminListRefusedSignIns: Handler<"adminListRefusedSignIns"> = async (
  { db },
  { query: { from, to, ...query } },
) => {
  const { rows, ...next } = await readUncounted(db, refusalList, {
    ...query,
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  });
  const refusedSignIns = rows.map((row) => Object.assign(row, { id: String(row.id) }));
  return { reply: { refusedSignIns, ...next } };
};

/** Counting stops here. */
const sessionsMax = 1_000;

/** Returns the state of a user's second factor, without secrets. */
const showSecondFactor = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { id, twoFactorEnabled: enabled }: UserRow,
) => {
  if (!deps.config.twoFactor.enabled) return {};
  const [row, backupCodesLeft, trustedDevices] = await Promise.all([
    findTwoFactor(deps.db, id),
    countBackupCodes(deps.db, id),
    countTrustedDevices(deps.db, id, new Date(deps.clock())),
  ]);
  const methods = enabled ? offeredMethods(deps, row, []) : [];
  return { secondFactor: { enabled, methods, backupCodesLeft, trustedDevices } };
};

/** Returns a user with their accounts, second factor and number of sessions. */
export const adminGetUser: Handler<"adminGetUser"> = async (deps, { params: { id }, session }) => {
  const [user, accounts, password, passkeyCount, sessions] = await Promise.all([
    findUser(deps, { id }),
    showAccounts(deps, id),
    findPassword(deps, id),
    countPasskeys(deps.db, id),
    deps.sessions.list(id, new Date(deps.clock()), sessionsMax),
  ]);
  if (!user) throw new WireError("USER_NOT_FOUND");
  return {
    reply: {
      user: deps.showUser(user),
      accounts,
      hasPassword: password !== undefined,
      passkeyCount,
      ...(await showSecondFactor(deps, user)),
      sessionCount: sessions.length,
      mayActOn: mayActOn(deps.config.admin, session.user, user),
    },
  };
};

/** Returns a user in the form that version 1.7 of the SDK requests. `adminGetUser` returns more. */
export const adminReadUser: Handler<"adminReadUser"> = async (deps, { query: { id } }) => {
  const user = await findUser(deps, { id });
  if (!user) throw new WireError("USER_NOT_FOUND");
  return { reply: deps.showUser(user) };
};

/** Returns the latest of the stored sign-in and the live sessions. Sign-ins of earlier versions are known only by their sessions. */
const latestOf = (
  stored: LastSignIn | undefined,
  sessions: readonly StoredSession[],
): Omit<LastSignIn, "userId"> | undefined =>
  [
    ...(stored ? [stored] : []),
    ...sessions
      .filter(({ impersonatedBy }) => impersonatedBy === null)
      .map(({ createdAt: signedInAt, methods, ipAddress, userAgent }) => ({
        signedInAt,
        methods,
        ipAddress,
        userAgent,
      })),
  ].toSorted((one, other) => other.signedInAt.getTime() - one.signedInAt.getTime())[0];

/**
 * Returns whether a user can sign in, and every reason why not, in one place. Addresses and devices are part of the user's sessions, so
 * callers who may not list those do not see them.
 */
export const adminReadSignInState: Handler<"adminReadSignInState"> = async (
  deps,
  { params: { id }, session },
) => {
  const [user, stored, sessions] = await Promise.all([
    findUser(deps, { id }),
    findLastSignIn(deps.db, id),
    deps.sessions.list(id, new Date(deps.clock()), sessionsMax),
  ]);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const { admin } = deps.config;
  const seesSessions =
    hasPermissions(admin, session.user, { session: ["list"] }) &&
    mayActOn(admin, session.user, user);
  const last = latestOf(stored, sessions);
  const problems = await listSignInProblems(deps, user, {
    since: last?.signedInAt,
    seesAddresses: seesSessions,
  });
  return {
    reply: {
      canSignIn: !problems.some(({ blocks }) => blocks),
      problems,
      lastSignIn: last
        ? {
            signedInAt: last.signedInAt,
            methods: last.methods.split(",").filter(Boolean),
            ipAddress: seesSessions ? last.ipAddress : null,
            userAgent: seesSessions ? last.userAgent : null,
          }
        : null,
    },
  };
};
