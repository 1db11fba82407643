import { showEmail } from "@latchkey/contracts/email-address.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Unread } from "../../components/errors/error-state.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { methodText } from "../../components/users/sign-in-words.ts";
import { UserState } from "../../components/users/user-state.tsx";
import type { User } from "./user-list.ts";
import { listText, t } from "../../texts.ts";

const Content = ({ user }: { user: User }) => {
  const reading = useQuery(
    operationQuery(operations.identity.adminReadSignInState, { params: { id: user.id } }),
  );
  const { data } = reading;
  if (!data) return <Unread reading={reading} className="h-60 w-full" />;
  const last = data.lastSignIn;
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={{
          [t("users.canSignIn")]: data.canSignIn ? t("common.yes") : t("common.no"),
          [t("common.state")]: <UserState user={user} />,
          [t("common.email")]: <bdi>{showEmail(user.email)}</bdi>,
          [t("common.roles")]: user.role ? <RoleBadges role={user.role} /> : "–",
          [t("users.lastSignIn")]: <RelativeTime at={last?.signedInAt} />,
          ...(last && { [t("users.method")]: listText(last.methods.map(methodText)) || "–" }),
          ...(last?.ipAddress && { [t("common.address")]: <bdi>{last.ipAddress}</bdi> }),
          [t("users.signedUp")]: <RelativeTime at={user.createdAt} />,
          [t("common.id")]: <CopyId id={user.id} of={showEmail(user.email)} />,
        }}
      />
      <p>
        <Link
          to="/users/$userId"
          params={{ userId: user.id }}
          className={buttonStyle("primary", "medium")}
        >
          {t("users.open")}
        </Link>
      </p>
    </div>
  );
};

interface UserPreviewProps {
  /** Undefined if the page of the list does not show the user. */
  user: User | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Shows the most important facts on a user beside the list. */
export const UserPreview = ({ user, isOpen, onOpenChange }: UserPreviewProps) => (
  <Drawer
    title={user ? user.name || showEmail(user.email) : t("common.user")}
    isOpen={isOpen}
    onOpenChange={onOpenChange}
  >
    {user ? <Content user={user} /> : <p>{t("users.notInList")}</p>}
  </Drawer>
);
