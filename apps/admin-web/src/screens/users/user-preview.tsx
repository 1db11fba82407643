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
          "Can sign in": data.canSignIn ? "Yes" : "No",
          State: <UserState user={user} />,
          Email: <bdi>{showEmail(user.email)}</bdi>,
          Roles: user.role ? <RoleBadges role={user.role} /> : "–",
          "Last sign-in": <RelativeTime at={last?.signedInAt} />,
          ...(last && { Method: last.methods.map(methodText).join(", ") || "–" }),
          ...(last?.ipAddress && { "IP address": <bdi>{last.ipAddress}</bdi> }),
          "Signed up": <RelativeTime at={user.createdAt} />,
          ID: <CopyId id={user.id} of={showEmail(user.email)} />,
        }}
      />
      <p>
        <Link
          to="/users/$userId"
          params={{ userId: user.id }}
          className={buttonStyle("primary", "medium")}
        >
          Open user
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
    title={user ? user.name || showEmail(user.email) : "User"}
    isOpen={isOpen}
    onOpenChange={onOpenChange}
  >
    {user ? <Content user={user} /> : <p>The list on this page does not show this user.</p>}
  </Drawer>
);
