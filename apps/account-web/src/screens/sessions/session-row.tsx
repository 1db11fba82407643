import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Ago } from "../../components/account/ago.tsx";
import { DeviceIcon } from "../../components/account/device-icon.tsx";
import { momentText } from "../../components/account/moment.tsx";
import { Row } from "../../components/account/rows.tsx";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { useTranslation } from "../../languages.ts";

type Session = CallReply<typeof operations.identity.listSessions>[number];

type Started = Pick<Session, "createdAt" | "id">;

const newMs = 7 * 24 * 60 * 60 * 1000;

/** Returns whether a user should look at a session: it began within a week, and after the one that the user is in. */
export const isNewSession = (session: Started, current: Started | undefined, now: Date): boolean =>
  current !== undefined &&
  session.id !== current.id &&
  session.createdAt > current.createdAt &&
  now.getTime() - Date.parse(session.createdAt) < newMs;

interface SessionRowProps {
  session: Session;
  /** The session that the user is in. */
  current: Started | undefined;
  isBusy: boolean;
  onEnd: () => void;
}

/** A browser in which the user is signed in. */
export const SessionRow = ({ session, current, isBusy, onEnd }: SessionRowProps) => {
  const t = useTranslation("sessions");
  const device = useDeviceName()(session.userAgent);
  const isCurrent = session.id === current?.id;
  const now = useNow();
  const { createdAt, expiresAt, ipAddress } = session;
  return (
    <Row
      mark={<DeviceIcon agent={session.userAgent} className="size-5 shrink-0 text-muted" />}
      title={
        <>
          <span title={session.userAgent}>{device}</span>
          {isCurrent && <Badge tone="success">{t("current")}</Badge>}
          {isNewSession(session, current, now) && <Badge tone="warning">{t("isNew")}</Badge>}
        </>
      }
      details={
        <>
          <p>
            {ipAddress && `${t("address", { address: ipAddress })} · `}
            {t("lastActive")} <Ago at={session.updatedAt} />
          </p>
          <p>{t("details", { start: momentText(createdAt), end: momentText(expiresAt) })}</p>
        </>
      }
      actions={
        !isCurrent && (
          <Button aria-label={t("endOf", { device })} isBusy={isBusy} onClick={onEnd}>
            {t("end")}
          </Button>
        )
      }
    />
  );
};
