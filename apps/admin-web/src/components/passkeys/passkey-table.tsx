import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { passkeyName } from "./passkey-name.ts";
import { t } from "../../texts.ts";

/** A passkey as admins see it. Users see the same and more of their own. */
export type Passkey = CallReply<
  typeof operations.identity.adminListUserPasskeys
>["passkeys"][number];

const columns: readonly TableColumn[] = [
  t("common.name"),
  { name: t("passkeys.added"), priority: "medium" },
  { name: t("common.lastUsed"), priority: "high" },
  { name: t("passkeys.synced"), priority: "low" },
  t("common.actions"),
];

interface PasskeyAction {
  /** The verb of the button. */
  readonly label: string;
  readonly onChoose: (passkey: Passkey) => void;
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  actions: readonly PasskeyAction[];
}

/** Lists passkeys with what can be done to each. */
export const PasskeyTable = ({ passkeys, actions }: PasskeyTableProps) => (
  <Table label={t("passkeys.list")} columns={columns}>
    {passkeys.map((passkey) => (
      <TableRow
        key={passkey.id}
        cells={{
          Name: (
            <bdi className="block max-w-60 truncate font-medium" title={passkeyName(passkey)}>
              {passkeyName(passkey)}
            </bdi>
          ),
          Added: <RelativeTime at={passkey.createdAt} isStacked />,
          "Last used": passkey.lastUsedAt ? (
            <RelativeTime at={passkey.lastUsedAt} isStacked />
          ) : (
            t("passkeys.never")
          ),
          Synced: passkey.backedUp ? (
            <Badge tone="success">{t("passkeys.synced")}</Badge>
          ) : (
            t("passkeys.thisDeviceOnly")
          ),
          Actions: (
            <span className="flex gap-2">
              {actions.map(({ label, onChoose }) => (
                <Button
                  key={label}
                  size="small"
                  aria-label={t("passkeys.act", { action: label, passkey: passkeyName(passkey) })}
                  onClick={() => onChoose(passkey)}
                >
                  {label}
                </Button>
              ))}
            </span>
          ),
        }}
      />
    ))}
  </Table>
);
