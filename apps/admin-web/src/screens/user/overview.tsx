import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { UserState } from "../../components/users/user-state.tsx";
import { EventsInBrief, KeysInBrief, LastSignIn, OrganizationsInBrief } from "./overview-cards.tsx";
import { signInAccounts } from "./sign-in-accounts.ts";
import type { User, UserDetail } from "./use-user.ts";
import { Verdict } from "./verdict.tsx";

const route = getRouteApi("/shell/users/$userId");

const countMax = 1000;

const Address = ({ user: { email, emailVerified } }: { user: User }) => (
  <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-2">
    <bdi className="min-w-0 break-all">{showEmail(email)}</bdi>
    <CopyId id={showEmail(email)} label="Copy the email" hidesId />
    {emailVerified ? (
      <Badge tone="success">Verified</Badge>
    ) : (
      <Badge tone="warning">Not verified</Badge>
    )}
  </span>
);

type SecondFactorState = NonNullable<UserDetail["secondFactor"]>;

const methodNames = { totp: "authenticator app", otp: "email code" } as const;

const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;

const SecondFactor = ({ state }: { state: SecondFactorState }) =>
  state.enabled ? (
    <span className="flex flex-wrap items-center gap-1">
      {state.methods.map((method) => (
        <Badge key={method} tone="success">
          {methodNames[method]}
        </Badge>
      ))}
      {counted(state.backupCodesLeft, "backup code")} left,{" "}
      {counted(state.trustedDevices, "trusted device")}
    </span>
  ) : (
    "Off"
  );

const sessionText = (count: number): string => {
  if (count === 0) return "No active sessions";
  return count < countMax ? counted(count, "active session") : "1,000 or more active sessions";
};

const SignInMethods = ({ detail }: { detail: UserDetail }) => {
  const { hasPassword, passkeyCount } = detail;
  const linked = signInAccounts(detail).filter(({ providerId }) => providerId !== "credential");
  return (
    <span className="flex flex-wrap gap-1">
      {hasPassword && <Badge>password</Badge>}
      {passkeyCount > 0 && <Badge>{counted(passkeyCount, "passkey")}</Badge>}
      {linked.map(({ id, providerId }) => (
        <Badge key={id}>{providerId}</Badge>
      ))}
      {!hasPassword && linked.length === 0 && passkeyCount === 0 && "Nothing yet"}
    </span>
  );
};

const factsOf = (detail: UserDetail) => {
  const { user, secondFactor, sessionCount } = detail;
  return {
    Email: <Address user={user} />,
    Name: <bdi className="break-words">{user.name || "–"}</bdi>,
    ...(user.username !== undefined && { Username: <bdi>{user.username ?? "–"}</bdi> }),
    ID: <CopyId id={user.id} of={showEmail(user.email)} />,
    State: <UserState user={user} />,
    Roles: user.role ? <RoleBadges role={user.role} /> : "–",
    "Signs in with": <SignInMethods detail={detail} />,
    ...(secondFactor && { "Second factor": <SecondFactor state={secondFactor} /> }),
    Sessions: sessionText(sessionCount),
    "Signed up": <RelativeTime at={user.createdAt} />,
    Changed: <RelativeTime at={user.updatedAt} />,
  };
};

/** Answers a support question on one screen: whether the user can sign in, and everything that matters about them. */
export const Overview = ({ detail }: { detail: UserDetail }) => {
  const { may } = useAccess();
  const { id: userId } = detail.user;
  return (
    <div className="flex flex-col gap-4">
      <Verdict detail={detail} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Card
          title="Overview"
          actions={
            detail.mayActOn &&
            may("user:update") && (
              <route.Link
                to="."
                search={{ tab: "profile" }}
                className={buttonStyle("quiet", "small")}
              >
                Edit
              </route.Link>
            )
          }
        >
          <Facts facts={factsOf(detail)} />
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          <LastSignIn userId={userId} />
          {may("audit:list") && <EventsInBrief userId={userId} />}
          {may("organization:list") && <OrganizationsInBrief userId={userId} />}
          {may("apiKey:list") && <KeysInBrief userId={userId} />}
        </div>
      </div>
    </div>
  );
};
