import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { KeyRound, LogIn, LogOut, ShieldCheck, User } from "lucide-react";
import { useTranslation } from "../../languages.ts";
import { Ago } from "./ago.tsx";
import { Row, Rows } from "./rows.tsx";

export type Activity = CallReply<typeof operations.identity.listActivity>;

const icons: readonly [beginning: string, Icon: typeof User][] = [
  ["session.created", LogIn],
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
    <Rows label={t("list")}>
      {entries.map(({ id, action, occurredAt, byCaller, address }) => {
        const Icon = iconOf(action);
        return (
          <Row
            key={id}
            mark={<Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />}
            title={
              <>
                {t(`actions.${action}`)}
                {!byCaller && <Badge>{t("byOther")}</Badge>}
              </>
            }
            details={
              <>
                <Ago at={occurredAt} />
                {address && ` · ${t("sessions:address", { address })}`}
              </>
            }
          />
        );
      })}
    </Rows>
  );
};
