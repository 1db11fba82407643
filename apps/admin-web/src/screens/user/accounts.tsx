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

const { adminUnlinkAccount } = operations.identity;

const columns: readonly TableColumn[] = [
  "Provider",
  "Account ID",
  { name: "Scopes", priority: "low" },
  { name: "Linked", priority: "high" },
  { name: "Updated", priority: "medium" },
  { name: "ID", priority: "low" },
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
      <bdi className="font-medium">{providerId === "credential" ? "Password" : providerId}</bdi>
      {compromised && <p className="text-warning">Known from leaks</p>}
    </>
  ),
  "Account ID": (
    <span className="block max-w-60">
      <CopyId id={accountId} of={`the account at ${providerId}`} />
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
      <CopyId id={id} of={`the account of ${providerId} here`} />
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
    title="Unlink this account?"
    action="Unlink account"
    done={`Account at ${account.providerId} unlinked from ${showEmail(user.email)}.`}
    onClose={onClose}
  >
    The account at <bdi>{account.providerId}</bdi> can no longer sign{" "}
    <bdi>{showEmail(user.email)}</bdi> in. Active sessions continue. If it is the only sign-in
    method, send a password reset afterwards.
  </Confirm>
);

const AccountTable = ({ user, accounts, mayActOn }: UserDetail) => {
  const { may } = useAccess();
  const [unlinked, setUnlinked] = useState<Account>();
  const mayUnlink = mayActOn && may("user:secure");
  return (
    <div className="rounded-lg border bg-surface">
      <Table label="accounts" columns={mayUnlink ? [...columns, "Actions"] : columns}>
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
                          aria-label={`Unlink the account at ${account.providerId}`}
                          onClick={() => setUnlinked(account)}
                        >
                          Unlink
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
    <EmptyState title="No accounts">
      {detail.passkeyCount > 0
        ? "The user signs in with a passkey. A password reset adds a password."
        : "The user cannot sign in until a password is set or a provider is linked."}
    </EmptyState>
  ) : (
    <AccountTable {...detail} />
  );
