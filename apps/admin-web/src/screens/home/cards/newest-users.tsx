import { showEmail } from "@latchkey/contracts/email-address.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Unread } from "../../../components/errors/error-state.tsx";
import { useSeen } from "../../../components/use-seen.ts";
import { StaleNotice } from "../../../components/errors/stale-notice.tsx";
import { againMs } from "../use-statistics.ts";
import { t } from "../../../texts.ts";

const newest = operationQuery(operations.identity.adminListUsers, {
  query: { limit: "6", sortBy: "createdAt", sortDirection: "desc" },
});

/** Shows who signed up last. */
export const NewestUsers = () => {
  const { ref, isSeen } = useSeen();
  const reading = useQuery({ ...newest, enabled: isSeen, refetchInterval: againEvery(againMs) });
  const { data } = reading;
  return (
    <div ref={ref}>
      <Card
        title={t("home.newestUsers")}
        actions={
          <Link
            to="/users"
            aria-label={t("home.showAllUsers")}
            className={buttonStyle("quiet", "small")}
          >
            {t("common.showAll")}
          </Link>
        }
      >
        {!data && <Unread reading={reading} className="h-72 w-full" />}
        {data && <StaleNotice reading={reading} />}
        {data?.users.length === 0 && <p className="text-muted">{t("home.nobody")}</p>}
        <ul aria-label={t("home.newestUsers")} className="flex flex-col gap-3">
          {data?.users.map(({ id, name, email, createdAt }) => (
            <li key={id} className="flex items-center gap-2.5">
              <Avatar name={name || showEmail(email)} />
              <div className="min-w-0 flex-1 leading-tight">
                <Link
                  to="/users/$userId"
                  params={{ userId: id }}
                  className="block truncate rounded-sm font-medium hover:underline"
                >
                  <bdi>{name || showEmail(email)}</bdi>
                </Link>
                <p className="truncate text-xs text-muted">
                  <bdi>{showEmail(email)}</bdi>
                </p>
              </div>
              <RelativeTime at={createdAt} isStacked />
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
};
