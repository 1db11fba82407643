import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { methodText } from "../../components/users/sign-in-words.ts";
import { signInAccounts } from "./sign-in-accounts.ts";
import type { User, UserDetail } from "./use-user.ts";
import { listText, seriesText, t } from "../../texts.ts";

const route = getRouteApi("/shell/users/$userId");

const sessionsMax = 1000;

/** Names the user, by the address at which they can be reached. */
const Names = ({ user: { name, email, emailVerified, isAnonymous } }: { user: User }) => (
  <div className="mb-3 flex min-w-0 items-start gap-3 border-b pb-3">
    <Avatar name={name || showEmail(email)} className="size-10 shrink-0" />
    <div className="min-w-0 flex-1">
      <p className="line-clamp-2 font-medium break-words" title={name}>
        <bdi>{name || t("who.noName")}</bdi>
      </p>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <bdi className="min-w-0 break-all text-muted">{showEmail(email)}</bdi>
        <CopyId id={showEmail(email)} label={t("who.copyEmail")} hidesId />
        {isAnonymous && <Badge>{t("users.states.guest")}</Badge>}
        {emailVerified ? (
          <Badge tone="success">{t("users.emailStates.verified")}</Badge>
        ) : (
          <Badge tone="warning">{t("users.emailStates.unverified")}</Badge>
        )}
      </span>
    </div>
  </div>
);

/** Says by which second factors a user can prove who they are. */
export const secondFactorText = (state: UserDetail["secondFactor"]): string => {
  if (!state?.enabled) return t("common.off");
  const methods = listText(state.methods.map(methodText));
  const backupCodes = t("who.backupCodes", { count: state.backupCodesLeft });
  const devices = t("who.trustedDevices", { count: state.trustedDevices });
  return seriesText([methods, backupCodes, devices].filter(Boolean));
};

/** Counts the sessions of a user. */
export const sessionText = (count: number): string => {
  if (count === 0) return t("who.noSessions");
  return count < sessionsMax ? t("who.sessions", { count }) : t("who.manySessions");
};

/** Names the ways in which a user signs in. */
export const signInText = (detail: UserDetail): string => {
  const { hasPassword, passkeyCount, user } = detail;
  const linked = signInAccounts(detail).filter(({ providerId }) => providerId !== "credential");
  const ways = [
    ...(hasPassword ? [t("common.password")] : []),
    ...(passkeyCount > 0 ? [t("who.passkeys", { count: passkeyCount })] : []),
    ...linked.map(({ providerId }) => methodText(`social:${providerId}`)),
    ...(user.phoneNumberVerified ? [methodText("sms-otp")] : []),
  ];
  return ways.length > 0 ? listText(ways) : t("who.noWay");
};

/** The number of a user, and whether they have proven it. */
const PhoneText = ({ user: { phoneNumber, phoneNumberVerified } }: Pick<UserDetail, "user">) =>
  phoneNumber ? (
    <span className="flex flex-wrap items-center gap-2">
      <bdi dir="ltr">{phoneNumber}</bdi>
      {!phoneNumberVerified && <Badge>{t("who.unconfirmed")}</Badge>}
    </span>
  ) : (
    "–"
  );

const factsOf = (detail: UserDetail) => {
  const { user, secondFactor, sessionCount } = detail;
  return {
    ...(user.username !== undefined && {
      [t("common.username")]: <bdi>{user.username ?? "–"}</bdi>,
    }),
    ...(user.phoneNumber !== undefined && {
      [t("common.phoneNumber")]: <PhoneText user={user} />,
    }),
    [t("common.roles")]: user.role ? <RoleBadges role={user.role} /> : "–",
    [t("users.signsInWith")]: <bdi>{signInText(detail)}</bdi>,
    ...(secondFactor && { [t("common.secondFactor")]: secondFactorText(secondFactor) }),
    [t("user.sessions")]: sessionText(sessionCount),
    [t("users.signedUp")]: <RelativeTime at={user.createdAt} isStacked />,
    [t("who.changed")]: <RelativeTime at={user.updatedAt} isStacked />,
    [t("common.id")]: <CopyId id={user.id} of={showEmail(user.email)} />,
  };
};

/** Says who the user is, beside every tab. */
export const Who = ({ detail }: { detail: UserDetail }) => {
  const { may } = useAccess();
  const { user, mayActOn } = detail;
  return (
    <Card
      title={t("who.title")}
      className="lg:sticky lg:top-4"
      actions={
        mayActOn &&
        may("user:update") && (
          <route.Link to="." search={{ edit: "profile" }} className={buttonStyle("quiet", "small")}>
            {t("common.edit")}
          </route.Link>
        )
      }
    >
      <Names user={user} />
      <Facts facts={factsOf(detail)} />
    </Card>
  );
};
