import { Link, useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { buttonStyle } from "../../components/ui/button-style.ts";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { apiKeyColumns } from "../../components/api-keys/api-key-columns.tsx";
import { keyName } from "../../components/api-keys/key-name.ts";
import { type ApiKey, useApiKeys } from "../../components/api-keys/use-api-keys.ts";
import type { User } from "./use-user.ts";
import type { UserSearch } from "./user-search.ts";

/** The owner is this user, so the column would repeat it. */
const columns = apiKeyColumns.filter(({ id }) => id !== "owner");

const rowId = ({ id }: ApiKey) => id;

const CreateKey = ({ userId }: { userId: string }) => (
  <Link to="/api-keys" search={{ userId, do: "create" }} className={buttonStyle()}>
    Create key
  </Link>
);

interface ApiKeysProps {
  user: User;
  search: UserSearch;
}

/** Lists a user's keys. */
export const ApiKeys = ({ user, search: { cursor, dir = "desc", ...rest } }: ApiKeysProps) => {
  const search = { ...rest, cursor, dir, sort: "createdAt" } as const;
  const state = useTableSearch(search);
  const navigate = useNavigate();
  const { may } = useAccess();
  return (
    <DataTable<ApiKey>
      name="user-api-keys"
      noun={["key", "keys"]}
      columns={columns}
      page={useApiKeys({ userId: user.id, cursor, dir })}
      state={state}
      rowId={rowId}
      rowLabel={keyName}
      onOpen={({ id }) => void navigate({ to: "/api-keys/$keyId", params: { keyId: id } })}
      actions={may("apiKey:create") && <CreateKey userId={user.id} />}
      empty={
        <EmptyState title="No API keys">
          Users create keys in your application, and admins create them here.
        </EmptyState>
      }
    />
  );
};
