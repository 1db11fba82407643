import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { refusalTexts, timesText } from "../../components/users/sign-in-words.ts";
import type { UserAction } from "../../components/users/user-actions.ts";
import { t } from "../../texts.ts";

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

/** Says why sign-ins were refused, how often and from where. */
const refusedText = ({ reason, count, addressCount, ipAddress }: Of<"refused">): string => {
  const refused = { reason: refusalTexts[reason], times: timesText(count) };
  if (addressCount > 1)
    return ipAddress
      ? t("problems.refused.mostFrom", { ...refused, count: addressCount, address: ipAddress })
      : t("problems.refused.addresses", { ...refused, count: addressCount });
  return ipAddress
    ? t("problems.refused.address", { ...refused, address: ipAddress })
    : t("problems.refused.plain", refused);
};

type Of<Kind extends SignInProblem["kind"]> = Extract<SignInProblem, { kind: Kind }>;

const shows: { readonly [Kind in SignInProblem["kind"]]: (problem: Of<Kind>) => ShownProblem } = {
  banned: ({ until, reason }) => ({
    title: until ? t("problems.bannedForAWhile") : t("problems.bannedForGood"),
    detail: reason === null ? t("problems.noReason") : t("problems.reason", { reason }),
    until: until ?? undefined,
    remedies: ["unban"],
  }),
  "address-not-verified": ({ blocks, canResend }) => ({
    title: t("problems.unverified"),
    detail: blocks ? t("problems.unverifiedText") : undefined,
    remedies: [...(canResend ? (["send-verification"] as const) : []), "verify"],
  }),
  "password-reset-required": ({ since }) => ({
    title: t("problems.passwordRequired"),
    detail: t("problems.passwordRequiredText"),
    since,
    remedies: ["reset", "password"],
  }),
  "no-sign-in-method": () => ({
    title: t("problems.noMethod"),
    detail: t("problems.noMethodText"),
    remedies: ["reset"],
  }),
  invited: ({ since, until }) => ({
    title: t("problems.invited"),
    detail: until ? undefined : t("problems.invitedText"),
    since,
    until: until ?? undefined,
    remedies: ["resend-invitation"],
  }),
  "second-factor-unusable": () => ({
    title: t("problems.factorUnusable"),
    detail: t("problems.factorUnusableText"),
    remedies: ["reset-second-factor"],
  }),
  "second-factor-locked": ({ until }) => ({
    title: t("problems.factorLocked"),
    until,
    remedies: ["reset-second-factor"],
  }),
  "second-factor-pending": ({ isEnrolment, since, until }) => ({
    title: isEnrolment ? t("problems.enrolmentPending") : t("problems.factorPending"),
    since,
    until,
    remedies: ["reset-second-factor"],
  }),
  "mail-limit-reached": ({ until }) => ({ title: t("problems.mailLimit"), until, remedies: [] }),
  refused: (problem) => ({
    title: refusedText(problem),
    since: problem.lastAt,
    ipAddress: problem.ipAddress || undefined,
    remedies: remediesOf[problem.reason] ?? [],
  }),
};

/** Returns a problem in words. */
export const showProblem = (problem: SignInProblem): ShownProblem => {
  const show = shows[problem.kind] as (given: SignInProblem) => ShownProblem; // of the same kind
  return show(problem);
};
