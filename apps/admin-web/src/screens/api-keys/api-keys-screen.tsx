import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { readOwner } from "../../components/api-keys/owner-choice.ts";
import { OwnerPicker } from "../../components/api-keys/owner-picker.tsx";
import { apiKeyColumns } from "../../components/api-keys/api-key-columns.tsx";
import type { ApiKeysSearch } from "./api-keys-search.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { exportedApiKeys, useApiKeys } from "../../components/api-keys/use-api-keys.ts";
import { useKeyBulkActions } from "./use-key-bulk-actions.ts";
import { useOwner } from "./use-owner.ts";

const CreateKey = lazyDialog(async () => (await import("./create-key/create-key.tsx")).CreateKey);

const route = getRouteApi("/shell/api-keys");

const searchedIn = [
  { value: "start", label: "Start" },
  { value: "prefix", label: "Prefix" },
] as const;

const states = [
  { value: "all", label: "All keys" },
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
  { value: "expired", label: "Expired" },
] as const;

const rowId = ({ id }: ApiKey) => id;

const OwnerFilter = ({ state: { search, change } }: { state: TableState<ApiKeysSearch> }) => {
  const owner = useOwner(search);
  const [isChosenHere, setIsChosenHere] = useState(false);
  if (owner)
    return (
      <Button
        // Keeps the focus in place when the chosen user replaces the search box.
        autoFocus={isChosenHere}
        aria-label={`Keys of ${owner.label}: show all owners`}
        onClick={() => change({ userId: undefined, organizationId: undefined })}
      >
        <bdi className="max-w-24 truncate">{owner.label}</bdi>
        <X />
      </Button>
    );
  return (
    <OwnerPicker
      label="Owner"
      placeholder="Owner"
      className="w-36"
      value={null}
      onChange={(chosen) => {
        setIsChosenHere(true);
        change({
          userId: undefined,
          organizationId: undefined,
          ...(chosen && readOwner(chosen.value)),
        });
      }}
    />
  );
};

const Filters = ({ state }: { state: TableState<ApiKeysSearch> }) => {
  const { search, change } = state;
  const { may } = useAccess();
  return (
    <>
      <Select
        label="Search in"
        className="w-32"
        choices={searchedIn}
        value={search.by ?? "start"}
        onChange={(by) => change({ by: by === "start" ? undefined : by })}
      />
      <Select
        label="State"
        className="w-28"
        choices={states}
        value={search.state ?? "all"}
        onChange={(chosen) => change({ state: chosen === "all" ? undefined : chosen })}
      />
      {may("user:list") && <OwnerFilter state={state} />}
    </>
  );
};

export const ApiKeysScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const search = { ...state.search, sort: "createdAt", dir: state.search.dir ?? "desc" } as const;
  const owner = useOwner(search);
  const mayCreate = may("apiKey:create") && may("user:list");
  const show = (open: "create" | undefined) =>
    void navigate({
      to: ".",
      search: { ...state.search, do: open },
      state: true,
      replace: open === undefined,
    });
  const create = mayCreate && (
    <Button kind="primary" onClick={() => show("create")}>
      <Plus />
      Create key
    </Button>
  );
  return (
    <Page title="API keys">
      <DataTable<ApiKey>
        name="api-keys"
        noun={["key", "keys"]}
        columns={apiKeyColumns}
        page={useApiKeys(search)}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={keyName}
        onOpen={({ id }) => void navigate({ to: "/api-keys/$keyId", params: { keyId: id } })}
        searchLabel="Search keys"
        exported={exportedApiKeys(search)}
        isFiltered={search.state !== undefined || owner !== null}
        filters={<Filters state={state} />}
        actions={create}
        bulkActions={useKeyBulkActions()}
        empty={
          <EmptyState title="No API keys yet">
            Users create keys in your application, and admins create them here.
          </EmptyState>
        }
      />
      {mayCreate && search.do === "create" && (
        <CreateKey owner={owner} isOpen onOpenChange={() => show(undefined)} />
      )}
    </Page>
  );
};
