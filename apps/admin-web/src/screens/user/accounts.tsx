import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import type { User, UserDetail } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminUnlinkAccount } = operations.identity;

const columns: readonly TableColumn[] = [
  t("accounts.provider"),
  t("accounts.accountId"),
  { name: t("accounts.scopes"), priority: "low" },
  { name: t("accounts.linked"), priority: "high" },
  { name: t("common.updated"), priority: "medium" },
  { name: t("common.id"), priority: "low" },
];

type Account = UserDetail["accounts"][number];

const cellsOf = ({
  id,
  providerId,
  accountId,
  scopes,
  createdAt,
  updatedAt,
  compromised,
}: Account) => ({
  Provider: (
    <>
      <bdi className="font-medium">
        {providerId === "credential" ? t("common.password") : providerId}
      </bdi>
      {compromised && <p className="text-warning">{t("users.knownFromLeaks")}</p>}
    </>
  ),
  "Account ID": (
    <span className="block max-w-60">
      <CopyId id={accountId} of={t("accounts.theAccount", { provider: providerId })} />
    </span>
  ),
  Allowed: (
    <bdi className="block max-w-80 truncate" title={scopes.join(" ")}>
      {scopes.join(" ") || "–"}
    </bdi>
  ),
  Linked: <RelativeTime at={createdAt} isStacked />,
  Updated: <RelativeTime at={updatedAt} isStacked />,
  ID: (
    <span className="block max-w-36">
      <CopyId id={id} of={t("accounts.theAccountHere", { provider: providerId })} />
    </span>
  ),
});

interface UnlinkProps {
  user: User;
  account: Account;
  onClose: () => void;
}

const Unlink = ({ user, account, onClose }: UnlinkProps) => (
  <Confirm
    operation={adminUnlinkAccount}
    input={{ body: { userId: user.id, id: account.id } }}
    title={t("accounts.unlink.title")}
    action={t("accounts.unlink.action")}
    done={t("accounts.unlink.done", { provider: account.providerId, email: showEmail(user.email) })}
    onClose={onClose}
  >
    {richText("accounts.unlink.text", {
      provider: <bdi>{account.providerId}</bdi>,
      email: <bdi>{showEmail(user.email)}</bdi>,
    })}
  </Confirm>
);

const AccountTable = ({ user, accounts, mayActOn }: UserDetail) => {
  const { may } = useAccess();
  const [unlinked, setUnlinked] = useState<Account>();
  const mayUnlink = mayActOn && may("user:secure");
  return (
    <div className="rounded-lg border bg-surface">
      <Table
        label={t("accounts.list")}
        columns={mayUnlink ? [...columns, t("common.actions")] : columns}
      >
        {accounts.map((account) => (
          <TableRow
            key={account.id}
            cells={
              mayUnlink
                ? {
                    ...cellsOf(account),
                    Actions:
                      account.providerId === "credential" ? (
                        "–"
                      ) : (
                        <Button
                          size="small"
                          aria-label={t("accounts.unlink.one", { provider: account.providerId })}
                          onClick={() => setUnlinked(account)}
                        >
                          {t("accounts.unlink.button")}
                        </Button>
                      ),
                  }
                : cellsOf(account)
            }
          />
        ))}
      </Table>
      {unlinked && <Unlink user={user} account={unlinked} onClose={() => setUnlinked(undefined)} />}
    </div>
  );
};

/** Lists a user's sign-in methods other than passkeys, which an admin may unlink. */
export const Accounts = (detail: UserDetail) =>
  detail.accounts.length === 0 ? (
    <EmptyState title={t("accounts.none")}>
      {detail.passkeyCount > 0 ? t("accounts.onlyPasskeys") : t("accounts.noWayIn")}
    </EmptyState>
  ) : (
    <AccountTable {...detail} />
  );
