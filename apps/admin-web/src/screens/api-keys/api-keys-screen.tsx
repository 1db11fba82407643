import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Select, type Choice } from "@latchkey/ui/components/select.tsx";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { readOwner, ownerValue } from "../../components/api-keys/owner-choice.ts";
import { OwnerPicker } from "../../components/api-keys/owner-picker.tsx";
import { apiKeyColumns } from "../../components/api-keys/api-key-columns.tsx";
import type { ApiKeysSearch } from "./api-keys-search.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { apiKeyList } from "../../components/api-keys/api-key-list.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { t } from "../../texts.ts";

interface NamedOwner {
  userId?: string | undefined;
  organizationId?: string | undefined;
}

/**
 * Returns the owner in the address as a choice: a user, otherwise an organization. Its label is the id until the owner is loaded, or if
 * loading fails.
 */
const useOwner = ({ userId, organizationId }: NamedOwner): Choice | null => {
  const { may } = useAccess();
  const { data: email } = useQuery({
    ...operationQuery(operations.identity.adminGetUser, { params: { id: userId ?? "none" } }),
    enabled: userId !== undefined && may("user:list"),
    select: ({ user }) => showEmail(user.email),
  });
  const { data: name } = useQuery({
    ...operationQuery(operations.organization.adminGetOrganization, {
      params: { id: organizationId ?? "none" },
    }),
    enabled: userId === undefined && organizationId !== undefined && may("organization:get"),
    select: (organization) => organization.name,
  });
  if (userId !== undefined) return { value: ownerValue({ userId }), label: email ?? userId };
  if (organizationId === undefined) return null;
  return { value: ownerValue({ organizationId }), label: name ?? organizationId };
};

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const disabling: BulkAction<ApiKey>[] = [
  {
    label: t("apiKeys.disable"),
    consequence: t("apiKeys.bulk.disableText"),
    run: ({ id }) => call(adminDisableApiKey, { params: { id } }),
  },
  {
    label: t("apiKeys.enable"),
    consequence: t("apiKeys.bulk.enableText"),
    run: ({ id }) => call(adminEnableApiKey, { params: { id } }),
  },
];

const remove: BulkAction<ApiKey> = {
  label: t("common.delete"),
  isDangerous: true,
  consequence: t("apiKeys.bulk.deleteText"),
  typed: t("bulk.typedDelete"),
  run: ({ id }) => call(adminDeleteApiKey, { params: { id } }),
};

/** Returns the actions that this admin may take on several keys at once. */
const useKeyBulkActions = (): BulkAction<ApiKey>[] => {
  const { may } = useAccess();
  return [...(may("apiKey:update") ? disabling : []), ...(may("apiKey:delete") ? [remove] : [])];
};

const CreateKey = lazyDialog(async () => (await import("./create-key/create-key.tsx")).CreateKey);

const route = getRouteApi("/shell/api-keys");

const searchedIn = [
  { value: "start", label: t("apiKeys.start") },
  { value: "prefix", label: t("apiKeys.prefix") },
] as const;

const states = [
  { value: "enabled", label: t("apiKeys.enabled") },
  { value: "disabled", label: t("keyStates.disabled") },
  { value: "expired", label: t("keyStates.expired") },
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
        aria-label={t("apiKeys.showAllOwners", { owner: owner.label })}
        onClick={() => change({ userId: undefined, organizationId: undefined })}
      >
        <bdi className="max-w-24 truncate">{owner.label}</bdi>
        <X />
      </Button>
    );
  return (
    <OwnerPicker
      label={t("common.owner")}
      placeholder={t("common.owner")}
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
        label={t("apiKeys.searchIn")}
        filter={{ isFilled: search.by !== undefined }}
        choices={searchedIn}
        value={search.by ?? "start"}
        onChange={(by) => change({ by: by === "start" ? undefined : by })}
      />
      <FilterSelect
        label={t("common.state")}
        anyLabel={t("apiKeys.all")}
        choices={states}
        value={search.state}
        onChange={(chosen) => change({ state: chosen })}
      />
      {may("user:list") && <OwnerFilter state={state} />}
    </>
  );
};

export const ApiKeysScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  const search = newestFirst(state.search);
  const owner = useOwner(search);
  const mayCreate = may("apiKey:create") && may("user:list");
  const create = mayCreate && (
    <Button kind="primary" onClick={() => state.show({ do: "create" })}>
      <Plus />
      {t("apiKeys.createKey")}
    </Button>
  );
  return (
    <Page title={t("screens.apiKeys")} aside={create}>
      <DataTable<ApiKey>
        name="api-keys"
        rows="keys"
        columns={apiKeyColumns}
        page={useQuery(apiKeyList.query(search))}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={keyName}
        onOpen={({ id }) => void navigate({ to: "/api-keys/$keyId", params: { keyId: id } })}
        searchLabel={t("apiKeys.search")}
        exported={apiKeyList.exported(search)}
        isFiltered={search.state !== undefined || owner !== null}
        filters={<Filters state={state} />}
        bulkActions={useKeyBulkActions()}
        empty={<EmptyState title={t("apiKeys.noneYet")}>{t("user.noKeys")}</EmptyState>}
      />
      {mayCreate && search.do === "create" && (
        <CreateKey owner={owner} isOpen onOpenChange={() => state.show({ do: undefined })} />
      )}
    </Page>
  );
};
