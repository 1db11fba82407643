import { Badge } from "@latchkey/ui/components/badge.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { isBanned } from "./is-banned.ts";
import type { User } from "./user.ts";
import { t } from "../../texts.ts";

/** Shows whether a user is banned, a guest, unverified or active. */
export const UserState = ({
  user,
}: {
  user: Pick<User, "banned" | "banExpires" | "emailVerified" | "isAnonymous">;
}) => {
  const now = useNow();
  if (isBanned(user, now)) return <Badge tone="warning">{t("users.states.banned")}</Badge>;
  if (user.isAnonymous) return <Badge>{t("users.states.guest")}</Badge>;
  if (!user.emailVerified) return <Badge>{t("users.states.unverified")}</Badge>;
  return <Badge tone="success">{t("users.states.active")}</Badge>;
};
