import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useAccess } from "../../access/use-access.ts";
import { OwnedKeys } from "../../components/api-keys/owned-keys.tsx";
import { Consents } from "../../components/clients/consents.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import { Accounts } from "./accounts.tsx";
import { Organizations } from "./organizations.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";
import { signInAccounts } from "./sign-in-accounts.ts";
import { UserTimeline } from "./timeline.tsx";
import type { User, UserDetail } from "./use-user.ts";
import type { UserSearch, UserTab } from "./user-search.ts";
import { t } from "../../texts.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

interface PartProps {
  title: string;
  children: ReactNode;
}

/** A part of a tab with its heading. */
const Part = ({ title, children }: PartProps) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-1 flex-col gap-2">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
};

const countText = (count: number): string =>
  count < 1000 ? String(count) : `${numberText(1000)}+`;

/** Lists the sessions and the sign-in methods of the user. */
const Security = ({ detail }: { detail: UserDetail }) => {
  const { may } = useAccess();
  const { user, mayActOn, sessionCount, passkeyCount } = detail;
  const accounts = signInAccounts(detail);
  return (
    <div className="flex flex-col gap-6">
      {mayActOn && may("session:list") && (
        <Part title={t("user.parts.sessions", { count: countText(sessionCount) })}>
          <Sessions user={user} />
        </Part>
      )}
      <Part title={t("user.parts.accounts", { count: accounts.length })}>
        <Accounts {...detail} accounts={accounts} />
      </Part>
      {mayActOn &&
        may("user:reset-two-factor") &&
        isOffered(operations.identity.adminListUserPasskeys) && (
          <Part title={t("user.parts.passkeys", { count: passkeyCount })}>
            <Passkeys detail={detail} />
          </Part>
        )}
    </div>
  );
};

/** Lists the organizations and API keys of the user, and the clients that may act for them. */
const Access = ({ user, search }: { user: User; search: UserSearch }) => {
  const { may } = useAccess();
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6">
      {may("organization:list") && (
        <Part title={t("screens.organizations")}>
          <Organizations user={user} search={search} />
        </Part>
      )}
      {may("apiKey:list") && (
        <Part title={t("screens.apiKeys")}>
          <OwnedKeys
            owner={{ userId: user.id }}
            name="user-api-keys"
            emptyText={t("user.noKeys")}
          />
        </Part>
      )}
      {may("oauthClient:list") && (
        <Part title={t("clients.ofUser.title")}>
          <Consents owner={{ userId: user.id }} />
        </Part>
      )}
    </div>
  );
};

/** The emails that are shown here. The screen of emails lists all of them. */
const mailsMax = 10;

/** Lists the latest emails to a user's address. */
const Mails = ({ user: { email } }: { user: User }) => {
  const reading = useQuery(
    operationQuery(operations.mailer.adminListDeliveries, {
      query: { recipientIs: email, limit: String(mailsMax), sortDirection: "desc" },
    }),
  );
  const { data } = reading;
  const q = email.slice(0, 255);
  return (
    <Card
      title={t("screens.mail")}
      actions={
        <Link
          to="/mail"
          search={{ q }}
          aria-label={t("user.showAllMails")}
          className={buttonStyle("quiet", "small")}
        >
          {t("common.showAll")}
        </Link>
      }
    >
      {!data && <Unread reading={reading} className="h-24 w-full" />}
      {data?.deliveries.length === 0 && <p className="text-muted">{t("user.noMails")}</p>}
      <ul aria-label={t("screens.mail")} className="flex flex-col gap-3">
        {data?.deliveries.map(({ id, subject, state, lastError, createdAt }) => (
          <li key={id} className="min-w-0">
            <div className="flex items-center justify-between gap-3">
              <Link
                to="/mail"
                search={{ q, id }}
                className="min-w-0 truncate rounded-sm font-medium hover:underline"
              >
                <bdi>{subject}</bdi>
              </Link>
              <DeliveryState state={state} />
            </div>
            <div className="text-muted">
              <RelativeTime at={createdAt} />
              {lastError && (
                <bdi className="block truncate" title={lastError}>
                  {lastError}
                </bdi>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** Lists the events of the user, and the emails to them. */
const Activity = ({ user }: { user: User }) => {
  const { may } = useAccess();
  return (
    <div className="grid items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_22rem]">
      {may("audit:list") && <UserTimeline user={user} />}
      {may("delivery:list") && <Mails user={user} />}
    </div>
  );
};

interface LaterTabProps {
  tab: Exclude<UserTab, "overview">;
  detail: UserDetail;
  search: UserSearch;
}

/** The tabs whose code and data load when one of them is opened. */
export const LaterTab = ({ tab, detail, search }: LaterTabProps) => {
  const { user } = detail;
  if (tab === "security") return <Security detail={detail} />;
  if (tab === "access") return <Access user={user} search={search} />;
  if (tab === "activity") return <Activity user={user} />;
  return <JsonView label={t("user.json")} value={detail} />;
};
