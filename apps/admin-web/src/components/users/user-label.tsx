import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Link } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { type NamedUser, useNamedUser } from "./use-named-user.ts";
import { t } from "../../texts.ts";

interface UserLabelProps {
  id: string;
  /** The user, if a reply contains it. Otherwise it is looked up by the id. Null stands for a deleted one. */
  user?: NamedUser | null | undefined;
  /** Shows the address below the name, in a cell of a table. */
  isStacked?: boolean | undefined;
  /** Shows the id too, not only the button that copies it. */
  showsId?: boolean | undefined;
}

const Deleted = ({ id, isStacked }: { id: string; isStacked: boolean }) => (
  <span
    className={classNames(
      "inline-flex max-w-full min-w-0",
      isStacked ? "flex-col leading-tight" : "items-center gap-1.5",
    )}
  >
    <span className="whitespace-nowrap text-muted">{t("users.deleted")}</span>
    <CopyId id={id} of={t("users.theDeleted")} />
  </span>
);

const Names = ({ user, isStacked }: { user: NamedUser; isStacked: boolean }) => (
  <span className={classNames("flex min-w-0 leading-tight", isStacked ? "flex-col" : "gap-1.5")}>
    {user.name && <bdi className="truncate">{user.name}</bdi>}
    <bdi className={classNames("truncate", user.name && "text-muted", isStacked && "text-xs")}>
      {showEmail(user.email)}
    </bdi>
  </span>
);

/** Names a user by name and email address, linked to the user's screen, with a button that copies the id. */
export const UserLabel = ({ id, user, isStacked = false, showsId = false }: UserLabelProps) => {
  const { may } = useAccess();
  const lookedUp = useNamedUser(user === undefined ? id : undefined);
  const named = user === undefined ? lookedUp.user : user;
  if (lookedUp.isLoading) return <Skeleton className="inline-block h-4 w-40 max-w-full" />;
  if (named === null) return <Deleted id={id} isStacked={isStacked} />;
  if (!named) return <CopyId id={id} of={t("users.thisUser")} />;
  const names = <Names user={named} isStacked={isStacked} />;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {may("user:list") ? (
        <Link
          to="/users/$userId"
          params={{ userId: id }}
          title={`${named.name} ${showEmail(named.email)}`}
          className="min-w-0 rounded-sm hover:underline"
        >
          {names}
        </Link>
      ) : (
        names
      )}
      <CopyId id={id} of={showEmail(named.email)} hidesId={!showsId} />
    </span>
  );
};
