import { CopyId } from "../../components/ui/copy-id.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { Table, TableRow } from "../../components/ui/table.tsx";
import type { UserDetail } from "./use-user.ts";

const columns = ["Provider", "Account ID", "Allowed", "Linked", "Changed", "ID"];

type Account = UserDetail["accounts"][number];

const cellsOf = ({ id, providerId, accountId, scopes, createdAt, updatedAt }: Account) => ({
  Provider: (
    <bdi className="font-medium">{providerId === "credential" ? "Password" : providerId}</bdi>
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
  Changed: <RelativeTime at={updatedAt} isStacked />,
  ID: (
    <span className="block max-w-36">
      <CopyId id={id} of={`the account of ${providerId} here`} />
    </span>
  ),
});

/** Lists a user's sign-in methods other than passkeys. */
export const Accounts = ({ accounts, passkeyCount }: UserDetail) =>
  accounts.length === 0 ? (
    <EmptyState title="No accounts">
      {passkeyCount > 0
        ? "They sign in by passkey. A password reset gives them a password, too."
        : "They cannot sign in until a password is set or a provider is linked."}
    </EmptyState>
  ) : (
    <div className="rounded-lg border bg-surface">
      <Table label="accounts" columns={columns}>
        {accounts.map((account) => (
          <TableRow key={account.id} cells={cellsOf(account)} />
        ))}
      </Table>
    </div>
  );
