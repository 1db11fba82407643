import { Badge } from "../../components/ui/badge.tsx";
import type { User } from "./use-users.ts";

type Judged = Pick<User, "banned" | "banExpires" | "emailVerified">;

/** A ban that has ended counts no more, though it stands there until the next sign-in. */
export const isBanned = ({ banned, banExpires }: Judged, now: Date): boolean =>
  banned === true && (!banExpires || new Date(banExpires) > now);

/** What stands between a user and signing in. */
export const UserState = ({ user }: { user: Judged }) => {
  if (isBanned(user, new Date())) return <Badge tone="danger">Banned</Badge>;
  if (!user.emailVerified) return <Badge tone="warning">Not verified</Badge>;
  return <Badge tone="success">Active</Badge>;
};
