import type { OperationReply, operations } from "@latchkey/contracts";
import { countAccounts } from "../accounts/queries.ts";
import { countWaysIn } from "../accounts/count-ways-in.ts";
import type { Deps } from "../deps.ts";
import { findWaitingChallenge } from "../second-factor/challenge-queries.ts";
import { countBackupCodes } from "../second-factor/backup-code-queries.ts";
import { offeredMethods } from "../second-factor/offered-methods.ts";
import { findTwoFactor } from "../second-factor/queries.ts";
import { findResetRequired } from "../passwords/queries.ts";
import { findInvitation, type OpenInvitation } from "../user-invitations/queries.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { isBanned } from "../users/user-rules.ts";
import type { UserRow } from "../users/user-row.ts";
import { listRefusalTotals } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "limits">;

export type SignInProblem = OperationReply<
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

export interface ProblemScope {
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
  const found = await Promise.all([
    methodsOf(deps, user, invitation),
    secondFactorOf(deps, user),
    mailLimitOf(deps, user),
    refusalsOf(deps, user, scope),
  ]);
  // The link of an invitation verifies the address too.
  const isInvited = found.flat().some(({ kind }) => kind === "invited");
  const unverified = isInvited ? [] : unverifiedOf(deps, user);
  const problems = [...banOf(deps, user), ...unverified, ...found.flat()];
  return problems.toSorted((one, other) => Number(other.blocks) - Number(one.blocks));
};
