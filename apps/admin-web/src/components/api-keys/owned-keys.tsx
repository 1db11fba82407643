import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../data-table/data-table.tsx";
import { useSecondTable, useTableSearch } from "../data-table/use-table-search.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { apiKeyColumns } from "./api-key-columns.tsx";
import { keyName } from "./key-name.ts";
import type { ApiKey } from "./api-key.ts";
import { apiKeyList } from "./api-key-list.ts";
import type { TableSearch } from "../data-table/table-search.ts";
import type { KeyOwner } from "./owner-choice.ts";
import { t } from "../../texts.ts";

/** All keys have the same owner, so the column would repeat it. */
const columns = apiKeyColumns.filter(({ id }) => id !== "owner");

const rowId = ({ id }: ApiKey) => id;

const CreateKey = ({ owner }: { owner: KeyOwner }) => (
  <Link to="/api-keys" search={{ ...owner, do: "create" }} className={buttonStyle()}>
    {t("apiKeys.createKey")}
  </Link>
);

interface OwnedKeysProps {
  owner: KeyOwner;
  /** The name under which the table keeps its columns. */
  name: string;
  /** The search in the address. Absent if the address has that of another list. */
  search?: TableSearch;
  /** The text of an empty list. */
  emptyText: string;
}

/** Lists the keys of a user or an organization. */
export const OwnedKeys = (props: OwnedKeysProps) => {
  const { owner, name, emptyText } = props;
  const second = useSecondTable();
  const { cursor, dir = "desc", ...rest } = props.search ?? second.search;
  const search = { ...rest, cursor, dir, sort: "createdAt" } as const;
  const first = useTableSearch(search);
  const state = props.search ? first : { ...second, search };
  const navigate = useNavigate();
  const { may } = useAccess();
  return (
    <DataTable<ApiKey>
      name={name}
      rows="keys"
      columns={columns}
      page={useQuery(apiKeyList.query({ ...owner, cursor, dir }))}
      state={state}
      rowId={rowId}
      rowLabel={keyName}
      onOpen={({ id }) => void navigate({ to: "/api-keys/$keyId", params: { keyId: id } })}
      exported={apiKeyList.exported({ ...owner, dir })}
      actions={may("apiKey:create") && <CreateKey owner={owner} />}
      empty={<EmptyState title={t("apiKeys.none")}>{emptyText}</EmptyState>}
    />
  );
};
