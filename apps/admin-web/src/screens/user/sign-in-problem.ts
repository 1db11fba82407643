import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { refusalTexts, timesText } from "../../components/users/sign-in-words.ts";
import type { UserAction } from "../../components/users/user-actions.ts";

export type SignInState = CallReply<typeof operations.identity.adminReadSignInState>;
export type SignInProblem = SignInState["problems"][number];
type RefusalReason = Extract<SignInProblem, { kind: "refused" }>["reason"];

/** A problem in words, with the times that are shown beside them and the actions that may solve it. */
export interface ShownProblem {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The IP address of refused sign-ins, which may be rate limited. */
  readonly ipAddress?: string | undefined;
  readonly remedies: readonly UserAction[];
}

const remediesOf: Readonly<Partial<Record<RefusalReason, readonly UserAction[]>>> = {
  "wrong-password": ["reset", "sign-out"],
  "wrong-second-factor": ["reset-second-factor"],
  "second-factor-missing": ["reset-second-factor"],
  "second-factor-locked": ["reset-second-factor"],
  banned: ["unban"],
  "password-compromised": ["reset"],
  "address-not-verified": ["send-verification"],
  "passkey-refused": ["reset"],
};

const fromWhere = (addressCount: number, ipAddress: string | null): string => {
  if (addressCount > 1)
    return ` from ${addressCount} IP addresses${ipAddress ? `, most from ${ipAddress}` : ""}`;
  return ipAddress ? ` from ${ipAddress}` : "";
};

type Of<Kind extends SignInProblem["kind"]> = Extract<SignInProblem, { kind: Kind }>;

const shows: { readonly [Kind in SignInProblem["kind"]]: (problem: Of<Kind>) => ShownProblem } = {
  banned: ({ until, reason }) => ({
    title: until ? "Banned temporarily" : "Banned permanently",
    detail: `Reason: ${reason ?? "none given"}`,
    until: until ?? undefined,
    remedies: ["unban"],
  }),
  "address-not-verified": ({ blocks, canResend }) => ({
    title: "Email not verified",
    detail: blocks ? "Signing in requires a verified email." : undefined,
    remedies: [...(canResend ? (["send-verification"] as const) : []), "verify"],
  }),
  "password-reset-required": ({ since }) => ({
    title: "New password required",
    detail: "The account was secured, so the old password no longer works.",
    since,
    remedies: ["reset", "password"],
  }),
  "no-sign-in-method": () => ({
    title: "No way to sign in",
    detail: "There is no password, provider account or passkey.",
    remedies: ["reset"],
  }),
  invited: ({ since, until }) => ({
    title: "Invited, no password chosen yet",
    detail: until ? undefined : "The link in the invitation no longer works.",
    since,
    until: until ?? undefined,
    remedies: ["resend-invitation"],
  }),
  "second-factor-unusable": () => ({
    title: "Second factor cannot be used",
    detail: "It is on, but no method and no backup code is left.",
    remedies: ["reset-second-factor"],
  }),
  "second-factor-locked": ({ until }) => ({
    title: "Second factor locked after too many wrong codes",
    until,
    remedies: ["reset-second-factor"],
  }),
  "second-factor-pending": ({ isEnrolment, since, until }) => ({
    title: isEnrolment
      ? "A sign-in is waiting for a second factor to be set up"
      : "A sign-in is waiting for its second factor",
    since,
    until,
    remedies: ["reset-second-factor"],
  }),
  "mail-limit-reached": ({ until }) => ({ title: "Email limit reached", until, remedies: [] }),
  refused: ({ reason, count, addressCount, ipAddress, lastAt }) => ({
    title: `${refusalTexts[reason]} ${timesText(count)}${fromWhere(addressCount, ipAddress)}`,
    since: lastAt,
    ipAddress: ipAddress || undefined,
    remedies: remediesOf[reason] ?? [],
  }),
};

/** Returns a problem in words. */
export const showProblem = (problem: SignInProblem): ShownProblem => {
  const show = shows[problem.kind] as (given: SignInProblem) => ShownProblem; // of the same kind
  return show(problem);
};
