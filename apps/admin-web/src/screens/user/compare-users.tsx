import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Link } from "@tanstack/react-router";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { minuteText } from "@latchkey/ui/components/moment-text.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { isBanned } from "../../components/users/is-banned.ts";
import type { SignInState } from "./sign-in-problem.ts";
import { type User, type UserDetail, useSignInState, useUser } from "./use-user.ts";
import { secondFactorText, sessionText, signInText } from "./who.tsx";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminMergeUsers } = operations.identity;

const timeText = (at: string | undefined): string => (at ? minuteText(new Date(at)) : "–");

const stateText = ({ user }: UserDetail, now: Date): string => {
  if (isBanned(user, now)) return t("users.states.banned");
  return user.emailVerified ? t("users.states.active") : t("users.states.unverified");
};

const membersOf = (
  detail: UserDetail,
  state: SignInState | undefined,
  now: Date,
): Readonly<Record<string, string>> => ({
  [t("common.name")]: detail.user.name || "–",
  [t("common.email")]: showEmail(detail.user.email),
  [t("common.state")]: stateText(detail, now),
  [t("users.canSignIn")]: state ? (state.canSignIn ? t("common.yes") : t("common.no")) : "–",
  [t("users.signsInWith")]: signInText(detail),
  [t("common.secondFactor")]: secondFactorText(detail.secondFactor),
  [t("common.roles")]: detail.user.role ?? "–",
  [t("user.sessions")]: sessionText(detail.sessionCount),
  [t("users.lastSignIn")]: timeText(state?.lastSignIn?.signedInAt),
  [t("users.signedUp")]: timeText(detail.user.createdAt),
});

const Cell = ({ text, isDifferent }: { text: string; isDifferent: boolean }) => (
  <td className="px-2 py-1.5 align-top break-words">
    <bdi className={classNames("rounded-sm px-1", isDifferent && "bg-warning-soft")}>{text}</bdi>
  </td>
);

interface ComparisonProps {
  detail: UserDetail;
  other: UserDetail;
}

const Comparison = ({ detail, other: otherDetail }: ComparisonProps) => {
  const now = useNow();
  const here = membersOf(detail, useSignInState(detail.user.id).data, now);
  const there = membersOf(otherDetail, useSignInState(otherDetail.user.id).data, now);
  return (
    <table aria-label={t("compare.label")} className="w-full table-fixed border-collapse">
      <thead>
        <tr className="border-b text-start text-muted">
          <th className="w-28 px-2 max-sm:w-24 py-1.5 text-start font-medium">
            {t("common.field")}
          </th>
          <th className="px-2 py-1.5 text-start font-medium">{t("compare.thisUser")}</th>
          <th className="px-2 py-1.5 text-start font-medium">{t("compare.otherUser")}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(here).map(([name, text]) => {
          const other = there[name] ?? "–";
          const isDifferent = other !== text;
          return (
            <tr key={name} className="border-b last:border-b-0">
              <th scope="row" className="px-2 py-1.5 text-start align-top font-normal text-muted">
                {name}
              </th>
              <Cell text={text} isDifferent={isDifferent} />
              <Cell text={other} isDifferent={isDifferent} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

interface CompareUsersProps {
  detail: UserDetail;
  otherId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

interface MergeProps {
  user: User;
  merged: User;
  onClose: () => void;
}

/** Merges the other user into this one after a confirmation. */
const Merge = ({ user, merged, onClose }: MergeProps) => (
  <Confirm
    operation={adminMergeUsers}
    input={{ body: { userId: user.id, mergedUserId: merged.id } }}
    title={t("merge.title")}
    action={t("merge.action")}
    typed={showEmail(merged.email)}
    done={t("merge.done", { merged: showEmail(merged.email), email: showEmail(user.email) })}
    onClose={onClose}
  >
    {richText("merge.text", {
      email: <bdi>{showEmail(user.email)}</bdi>,
      merged: <bdi>{showEmail(merged.email)}</bdi>,
    })}
  </Confirm>
);

/** Shows two users side by side, with their differences marked. */
export const CompareUsers = ({ detail, otherId, isOpen, onOpenChange }: CompareUsersProps) => {
  const reading = useUser(otherId);
  const { data: other } = reading;
  const { access, may } = useAccess();
  const [isMerging, setIsMerging] = useState(false);
  const isOneself = [detail.user.id, otherId].includes(access?.user.id ?? "");
  const mayMerge = may("user:merge") && detail.mayActOn && other?.mayActOn && !isOneself;
  const close = () => onOpenChange(false);
  if (isMerging && other) return <Merge user={detail.user} merged={other.user} onClose={close} />;
  return (
    <Dialog
      title={t("compare.title")}
      description={t("compare.text")}
      className="max-w-3xl"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      {other ? (
        <Comparison detail={detail} other={other} />
      ) : (
        <Unread reading={reading} className="h-80 w-full" />
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Link to="/users/$userId" params={{ userId: otherId }} className={buttonStyle()}>
          {t("compare.open")}
        </Link>
        {mayMerge && (
          <Button kind="danger" onClick={() => setIsMerging(true)}>
            {t("merge.start")}
          </Button>
        )}
        <Button onClick={close}>{t("ui.close")}</Button>
      </div>
    </Dialog>
  );
};
