import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { CopyId } from "../../components/ui/copy-id.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { useNow } from "../../components/ui/use-now.ts";
import { isBanned } from "../../components/users/is-banned.ts";
import { UserState } from "../../components/users/user-state.tsx";
import type { User, UserDetail } from "./use-user.ts";

const countMax = 1000;
const grouped = new Intl.NumberFormat("en");

const Ban = ({ user }: { user: User }) => (
  <Notice tone="danger">
    <p className="font-medium">
      {user.banExpires ? (
        <>
          Banned; it ends <RelativeTime at={user.banExpires} mayBeAhead />
        </>
      ) : (
        "Banned for good"
      )}
    </p>
    <p>
      Reason: <bdi>{user.banReason || "none was given"}</bdi>
    </p>
  </Notice>
);

const Address = ({ user: { email, emailVerified } }: { user: User }) => (
  <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-2">
    <bdi className="min-w-0 break-all">{email}</bdi>
    <CopyId id={email} label="Copy the address" hidesId />
    {emailVerified ? (
      <Badge tone="success">Verified</Badge>
    ) : (
      <Badge tone="warning">Not verified</Badge>
    )}
  </span>
);

type SecondFactorState = NonNullable<UserDetail["secondFactor"]>;

const methodNames = { totp: "authenticator app", otp: "code by mail" } as const;

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

const factsOf = ({
  user,
  accounts,
  hasPassword,
  passkeyCount,
  secondFactor,
  sessionCount,
}: UserDetail) => ({
  Address: <Address user={user} />,
  Name: <bdi className="break-words">{user.name || "–"}</bdi>,
  ...(user.username !== undefined && { Username: <bdi>{user.username ?? "–"}</bdi> }),
  Id: <CopyId id={user.id} of={user.email} />,
  State: <UserState user={user} />,
  Roles: user.role ? <RoleBadges role={user.role} /> : "–",
  "Signs in with": (
    <span className="flex flex-wrap gap-1">
      {hasPassword && <Badge>password</Badge>}
      {passkeyCount > 0 && <Badge>{counted(passkeyCount, "passkey")}</Badge>}
      {accounts
        .filter(({ providerId }) => providerId !== "credential")
        .map(({ id, providerId }) => (
          <Badge key={id}>{providerId}</Badge>
        ))}
      {!hasPassword && accounts.length === 0 && passkeyCount === 0 && "nothing yet"}
    </span>
  ),
  ...(secondFactor && { "Second factor": <SecondFactor state={secondFactor} /> }),
  "Live sessions": sessionCount < countMax ? grouped.format(sessionCount) : "1,000 or more",
  "Signed up": <RelativeTime at={user.createdAt} />,
  Changed: <RelativeTime at={user.updatedAt} />,
});

/** Shows the essential data of a user. */
export const Overview = ({ detail }: { detail: UserDetail }) => {
  const now = useNow();
  return (
    <div className="flex flex-col gap-4">
      {isBanned(detail.user, now) && <Ban user={detail.user} />}
      <Card title="Overview">
        <Facts facts={factsOf(detail)} />
      </Card>
    </div>
  );
};
