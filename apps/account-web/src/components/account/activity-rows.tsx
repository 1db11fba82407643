import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Timeline, TimelineItem } from "@latchkey/ui/components/timeline.tsx";
import { ArrowLeftRight, KeyRound, LogIn, LogOut, ShieldCheck, User } from "lucide-react";
import { useTranslation } from "../../languages.ts";
import { Ago } from "./ago.tsx";

export type Activity = CallReply<typeof operations.identity.listActivity>;

const icons: readonly [beginning: string, Icon: typeof User][] = [
  ["session.created", LogIn],
  ["session.switched", ArrowLeftRight],
  ["session.", LogOut],
  ["user.", User],
  ["password.", KeyRound],
  ["passkey.", KeyRound],
  ["account.", KeyRound],
];

const iconOf = (action: string) =>
  icons.find(([beginning]) => action.startsWith(beginning))?.[1] ?? ShieldCheck;

/** Lists sign-ins and changes of the account. */
export const ActivityRows = ({ entries }: { entries: Activity }) => {
  const t = useTranslation("activity");
  return (
    <Timeline label={t("list")}>
      {entries.map(({ id, action, occurredAt, byCaller, address }) => (
        <TimelineItem key={id} Icon={iconOf(action)}>
          <p className="flex flex-wrap items-center gap-2 font-medium break-words">
            {t(`actions.${action}`)}
            {!byCaller && <Badge>{t("byOther")}</Badge>}
          </p>
          <p className="text-sm break-words text-muted">
            <Ago at={occurredAt} />
            {address && ` · ${t("sessions:address", { address })}`}
          </p>
        </TimelineItem>
      ))}
    </Timeline>
  );
};
