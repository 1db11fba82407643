import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { UnblockAddress } from "../../components/rate-limits/unblock-address.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { possibleActions, type UserAction } from "../../components/users/user-actions.ts";
import { type ShownProblem, showProblem, type SignInState } from "./sign-in-problem.ts";
import { type UserDetail, useSignInState } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminListDeliveries } = operations.mailer;
const route = getRouteApi("/shell/users/$userId");

const remedyLabels: Partial<Record<UserAction, string>> = {
  unban: t("users.bulk.unban"),
  "send-verification": t("verdict.sendVerification"),
  "resend-invitation": t("verdict.resendInvitation"),
  verify: t("verification.verified"),
  reset: t("verdict.reset"),
  password: t("userActions.password.title"),
  "reset-second-factor": t("userActions.resetSecondFactor.action"),
  "sign-out": t("userActions.signOut.action"),
};

/** The remedies that the admin may use on this user now, as buttons that open their dialogs. */
const Remedies = ({
  detail,
  remedies,
}: { detail: UserDetail } & Pick<ShownProblem, "remedies">) => {
  const { access, may } = useAccess();
  const navigate = route.useNavigate();
  const { user, mayActOn } = detail;
  const possible = possibleActions(user, { id: access?.user.id, may, mayActOn, now: useNow() });
  return possible
    .filter(({ name }) => remedies.includes(name))
    .map(({ name }) => (
      <Button
        key={name}
        size="small"
        onClick={() =>
          void navigate({
            to: ".",
            search: (was) => ({ ...was, do: name }),
            state: true,
            replace: true,
          })
        }
      >
        {remedyLabels[name] ?? t(`userActions.labels.${name}`)}
      </Button>
    ));
};

interface ProblemProps extends Omit<ShownProblem, "remedies" | "ipAddress"> {
  blocks: boolean;
  children?: ReactNode;
}

const Problem = ({ title, detail, since, until, blocks, children }: ProblemProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t py-2.5">
    <div className="flex min-w-0 items-start gap-2">
      {blocks ? (
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      ) : (
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      )}
      <div className="min-w-0 break-words">
        <p className="font-medium">
          <bdi>{title}</bdi>
        </p>
        {detail && (
          <p className="text-muted">
            <bdi>{detail}</bdi>
          </p>
        )}
        {(since ?? until) && (
          <p className="text-muted">
            {since && !until && <RelativeTime at={since} />}
            {since &&
              until &&
              richText("verdict.sinceAndEnds", {
                since: <RelativeTime at={since} />,
                time: <RelativeTime at={until} mayBeAhead />,
              })}
            {!since &&
              until &&
              richText("verdict.ends", { time: <RelativeTime at={until} mayBeAhead /> })}
          </p>
        )}
      </div>
    </div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
);

/** Shows that the last mail to the user was not delivered. Renders nothing otherwise, or without the permission to list mails. */
const LastMail = ({ email }: { email: string }) => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(adminListDeliveries, {
      query: { recipientIs: email, limit: "1", sortDirection: "desc" },
    }),
    enabled: may("delivery:list"),
  });
  const last = data?.deliveries[0];
  if (last?.state !== "failed" && last?.state !== "retrying") return null;
  return (
    <Problem
      title={last.state === "failed" ? t("verdict.mailFailed") : t("verdict.mailDelayed")}
      detail={last.lastError ?? undefined}
      since={last.settledAt ?? last.createdAt}
      blocks={false}
    >
      <Link
        to="/mail"
        search={{ q: last.recipient.slice(0, 255), id: last.id }}
        className={buttonStyle("secondary", "small")}
      >
        {t("verdict.showMail")}
      </Link>
    </Problem>
  );
};

const Headline = ({ state: { canSignIn, problems } }: { state: SignInState }) => (
  <p className="mb-3 flex items-center gap-2 text-lg font-semibold">
    {canSignIn ? (
      <CircleCheck aria-hidden className="size-5 shrink-0 text-success" />
    ) : (
      <CircleX aria-hidden className="size-5 shrink-0 text-warning" />
    )}
    {canSignIn && problems.length === 0 && t("verdict.yes")}
    {canSignIn && problems.length > 0 && t("verdict.yesBut")}
    {!canSignIn && t("common.no")}
  </p>
);

/** Answers whether a user can sign in, with every reason and its remedies. */
export const Verdict = ({ detail }: { detail: UserDetail }) => {
  const reading = useSignInState(detail.user.id);
  const { data } = reading;
  return (
    <Card title={t("verdict.title")}>
      {!data && <Unread reading={reading} className="h-16 w-full" />}
      {data && (
        <>
          <StaleNotice reading={reading} />
          <Headline state={data} />
          <ul aria-label={t("verdict.reasons")}>
            {data.problems.map((problem) => {
              const { remedies, ipAddress, ...shown } = showProblem(problem);
              return (
                <Problem key={shown.title} {...shown} blocks={problem.blocks}>
                  <Remedies detail={detail} remedies={remedies} />
                  {ipAddress && <UnblockAddress ipAddress={ipAddress} />}
                </Problem>
              );
            })}
            <LastMail email={detail.user.email} />
          </ul>
        </>
      )}
    </Card>
  );
};
