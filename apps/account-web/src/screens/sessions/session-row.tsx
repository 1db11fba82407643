import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { MenuItem, MenuSection } from "@latchkey/ui/components/dropdown-menu.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Ago } from "../../components/account/ago.tsx";
import { isNewSession } from "../../components/account/is-new-session.ts";
import { DeviceIcon } from "../../components/account/device-icon.tsx";
import { momentText } from "../../components/account/moment.tsx";
import { Row, RowMenu } from "../../components/account/rows.tsx";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { useTranslation } from "../../languages.ts";

type Session = CallReply<typeof operations.identity.listSessions>[number];

interface SessionRowProps {
  session: Session;
  /** The session that the user is in. */
  current: Pick<Session, "createdAt" | "id"> | undefined;
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
      title={<span title={session.userAgent}>{device}</span>}
      badges={
        <>
          {isCurrent && <Badge tone="success">{t("current")}</Badge>}
          {isNewSession(session, current, now) && <Badge tone="warning">{t("isNew")}</Badge>}
        </>
      }
      details={
        <>
          {ipAddress && (
            <>
              <bdi>{ipAddress}</bdi>
              {" · "}
            </>
          )}
          <span className="sr-only">{t("lastActive")}</span> <Ago at={session.updatedAt} />
        </>
      }
      actions={
        <RowMenu name={device} isBusy={isBusy}>
          <MenuSection
            label={t("details", { start: momentText(createdAt), end: momentText(expiresAt) })}
          >
            <MenuItem onSelect={onEnd}>{t(isCurrent ? "account:signOut" : "end")}</MenuItem>
          </MenuSection>
        </RowMenu>
      }
    />
  );
};
