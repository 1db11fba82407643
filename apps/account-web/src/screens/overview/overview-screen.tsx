import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { hasPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import { ActivityRows } from "../../components/account/activity-rows.tsx";
import { isNewSession } from "../../components/account/is-new-session.ts";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useTranslation } from "../../languages.ts";
import { isCompromised } from "../../components/account/is-compromised.ts";
import { sessionQuery } from "../../session/session-query.ts";

const { listAccounts, listActivity, listSessions, listUserPasskeys, readTwoFactorStatus } =
  operations.identity;

type SignedIn = NonNullable<CallReply<typeof operations.identity.getSession>>;

interface Check {
  name: string;
  isGood: boolean;
  state: string;
  /** The place where it is put in order. */
  to: "/profile" | "/security" | "/sessions";
  action: string;
}

/** The fewest recovery codes that need no attention. */
const enoughCodes = 3;

/** Returns the check of a password that is known from leaks. A good one needs no mention. */
const usePasswordCheck = (): Check | false => {
  const t = useTranslation("security");
  const { data: accounts = [] } = useQuery(operationQuery(listAccounts, {}));
  return (
    isCompromised(accounts) && {
      name: t("password.title"),
      isGood: false,
      state: t("password.compromised"),
      to: "/security",
      action: t("password.change"),
    }
  );
};

/** Returns what protects the account, for the features that are on. Undefined until everything is read. */
const useChecks = ({ session, user }: SignedIn) => {
  const t = useTranslation("overview");
  const now = useNow();
  const sessions = useQuery(operationQuery(listSessions, {}));
  const passkeys = useQuery({ ...operationQuery(listUserPasskeys, {}), enabled: hasPasskeys });
  const passwordCheck = usePasswordCheck();
  const hasFactors = isOffered(readTwoFactorStatus);
  const factor = useQuery({ ...operationQuery(readTwoFactorStatus, {}), enabled: hasFactors });
  const checksOf = (list: CallReply<typeof listSessions>): Check[] => {
    const newCount = list.filter((one) => isNewSession(one, session, now)).length;
    const passkeyCount = passkeys.data?.length ?? 0;
    const { enabled = false, backupCodesLeft = 0 } = factor.data ?? {};
    const checks: (Check | false)[] = [
      {
        name: t("profile:email.title"),
        isGood: user.emailVerified,
        state: t(user.emailVerified ? "profile:email.verified" : "profile:email.unverified"),
        to: "/profile",
        action: t("verify"),
      },
      passwordCheck,
      hasPasskeys && {
        name: t("security:passkeys.title"),
        isGood: passkeyCount > 0,
        state: passkeyCount > 0 ? t("passkeys", { count: passkeyCount }) : t("noPasskey"),
        to: "/security",
        action: t("security:passkeys.addOne"),
      },
      hasFactors && {
        name: t("security:factor.title"),
        isGood: enabled,
        state: t(enabled ? "security:factor.on" : "factorOff"),
        to: "/security",
        action: t("setUp"),
      },
      enabled && {
        name: t("security:factor.codes.name"),
        isGood: backupCodesLeft >= enoughCodes,
        state: t("security:factor.codes.left", { count: backupCodesLeft }),
        to: "/security",
        action: t("security:factor.codes.renew"),
      },
      {
        name: t("sessions:title"),
        isGood: newCount === 0,
        state: newCount === 0 ? t("noNewSessions") : t("newSessions", { count: newCount }),
        to: "/sessions",
        action: t("review"),
      },
    ];
    return checks.filter((check) => check !== false);
  };
  const unread =
    (hasPasskeys && passkeys.data === undefined && passkeys) ||
    (hasFactors && factor.data === undefined && factor);
  return { reading: unread ? { ...unread, data: undefined } : sessions, checksOf };
};

const CheckRow = ({ name, isGood, state, to, action }: Check) => {
  const t = useTranslation("overview");
  const Icon = isGood ? CircleCheck : CircleAlert;
  return (
    <Row
      mark={
        <Icon
          role="img"
          aria-label={t(isGood ? "states.good" : "states.open")}
          className={`size-5 shrink-0 ${isGood ? "text-success" : "text-warning"}`}
        />
      }
      title={name}
      details={state}
      actions={
        !isGood && (
          <Link to={to} className={buttonStyle()}>
            {action}
          </Link>
        )
      }
    />
  );
};

/** Says what protects the account, and what is missing. */
const CheckUp = ({ signedIn }: { signedIn: SignedIn }) => {
  const t = useTranslation("overview");
  const { reading, checksOf } = useChecks(signedIn);
  return (
    <Panel title={t("checkUp")}>
      <Reading of={reading}>
        {(list) => {
          const checks = checksOf(list);
          const count = checks.filter(({ isGood }) => !isGood).length;
          return (
            <>
              <p className="text-muted">{count === 0 ? t("good") : t("open", { count })}</p>
              <Rows label={t("checkUp")}>
                {checks.map((check) => (
                  <CheckRow key={check.name} {...check} />
                ))}
              </Rows>
            </>
          );
        }}
      </Reading>
    </Panel>
  );
};

const latestCount = 5;

const LatestActivity = () => {
  const t = useTranslation("activity");
  const activity = useQuery(operationQuery(listActivity, {}));
  return (
    <Panel
      title={t("list")}
      actions={
        <Link to="/activity" className={buttonStyle("quiet")}>
          {t("overview:allActivity")}
        </Link>
      }
    >
      <Reading of={activity}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState title={t("none")} />
          ) : (
            <ActivityRows entries={entries.slice(0, latestCount)} />
          )
        }
      </Reading>
    </Panel>
  );
};

/** The first screen of a signed-in user: the state of the account. */
export const OverviewScreen = () => {
  const t = useTranslation("profile");
  const { data: signedIn } = useQuery(sessionQuery);
  if (!signedIn) return null;
  return (
    <Screen title={t("title")} lead={t("signedInAs", { email: showEmail(signedIn.user.email) })}>
      <CheckUp signedIn={signedIn} />
      {/* An impersonating admin may not see it. */}
      {!signedIn.session.impersonatedBy && <LatestActivity />}
    </Screen>
  );
};
