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

const route = getRouteApi("/shell/users/$userId");

const sessionsMax = 1000;

const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;

/** Names things in a sentence, such as "Password, 2 passkeys and Github". */
const listText = new Intl.ListFormat("en");

/** Names the user, by the address at which they can be reached. */
const Names = ({ user: { name, email, emailVerified, isAnonymous } }: { user: User }) => (
  <div className="mb-3 flex min-w-0 items-start gap-3 border-b pb-3">
    <Avatar name={name || showEmail(email)} className="size-10 shrink-0" />
    <div className="min-w-0 flex-1">
      <p className="line-clamp-2 font-medium break-words" title={name}>
        <bdi>{name || "No name"}</bdi>
      </p>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <bdi className="min-w-0 break-all text-muted">{showEmail(email)}</bdi>
        <CopyId id={showEmail(email)} label="Copy the email" hidesId />
        {isAnonymous && <Badge>Guest</Badge>}
        {emailVerified ? (
          <Badge tone="success">Verified</Badge>
        ) : (
          <Badge tone="warning">Not verified</Badge>
        )}
      </span>
    </div>
  </div>
);

/** Says by which second factors a user can prove who they are. */
export const secondFactorText = (state: UserDetail["secondFactor"]): string => {
  if (!state?.enabled) return "Off";
  const methods = listText.format(state.methods.map(methodText));
  const backupCodes = `${counted(state.backupCodesLeft, "backup code")} left`;
  return [methods, backupCodes, counted(state.trustedDevices, "trusted device")]
    .filter(Boolean)
    .join(", ");
};

/** Counts the sessions of a user. */
export const sessionText = (count: number): string => {
  if (count === 0) return "No active sessions";
  return count < sessionsMax ? counted(count, "active session") : "1,000 or more active sessions";
};

/** Names the ways in which a user signs in. */
export const signInText = (detail: UserDetail): string => {
  const { hasPassword, passkeyCount } = detail;
  const linked = signInAccounts(detail).filter(({ providerId }) => providerId !== "credential");
  const ways = [
    ...(hasPassword ? ["Password"] : []),
    ...(passkeyCount > 0 ? [counted(passkeyCount, "passkey")] : []),
    ...linked.map(({ providerId }) => methodText(`social:${providerId}`)),
  ];
  return ways.length > 0 ? listText.format(ways) : "Nothing yet";
};

const factsOf = (detail: UserDetail) => {
  const { user, secondFactor, sessionCount } = detail;
  return {
    ...(user.username !== undefined && { Username: <bdi>{user.username ?? "–"}</bdi> }),
    Roles: user.role ? <RoleBadges role={user.role} /> : "–",
    "Signs in with": <bdi>{signInText(detail)}</bdi>,
    ...(secondFactor && { "Second factor": secondFactorText(secondFactor) }),
    Sessions: sessionText(sessionCount),
    "Signed up": <RelativeTime at={user.createdAt} isStacked />,
    Changed: <RelativeTime at={user.updatedAt} isStacked />,
    ID: <CopyId id={user.id} of={showEmail(user.email)} />,
  };
};

/** Says who the user is, beside every tab. */
export const Who = ({ detail }: { detail: UserDetail }) => {
  const { may } = useAccess();
  const { user, mayActOn } = detail;
  return (
    <Card
      title="Profile"
      className="lg:sticky lg:top-4"
      actions={
        mayActOn &&
        may("user:update") && (
          <route.Link to="." search={{ edit: "profile" }} className={buttonStyle("quiet", "small")}>
            Edit
          </route.Link>
        )
      }
    >
      <Names user={user} />
      <Facts facts={factsOf(detail)} />
    </Card>
  );
};
