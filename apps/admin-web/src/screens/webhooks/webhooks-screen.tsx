import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useAccess } from "../../access/use-access.ts";
import { useNamedThing } from "../../components/audit/use-named-thing.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { OrganizationPicker } from "../../components/organizations/organization-picker.tsx";
import { Page } from "../../components/page.tsx";
import type { ListedWebhook } from "../../components/webhooks/webhook.ts";
import { exportedWebhooks, useWebhooks } from "./use-webhooks.ts";
import { webhookColumns } from "./webhook-columns.tsx";
import type { WebhooksSearch } from "./webhooks-search.ts";

const CreateWebhook = lazyDialog(async () => (await import("./create-webhook.tsx")).CreateWebhook);

const route = getRouteApi("/shell/webhooks");

const states = [
  { value: "all", label: "All webhooks" },
  { value: "active", label: "Active" },
  { value: "paused", label: "Paused" },
  { value: "disabled", label: "Disabled" },
] as const;

const rowId = ({ id }: ListedWebhook) => id;

interface ChosenProps {
  id: string;
  onClear: () => void;
}

const ChosenOrganization = ({ id, onClear }: ChosenProps) => {
  const name = useNamedThing("organization", id) ?? id;
  return (
    <Button aria-label={`Webhooks of ${name}: show all organizations`} onClick={onClear}>
      <bdi className="max-w-24 truncate">{name}</bdi>
      <X />
    </Button>
  );
};

const Filters = ({ state: { search, change } }: { state: TableState<WebhooksSearch> }) => {
  const { may } = useAccess();
  const { organizationId } = search;
  return (
    <>
      <Select
        label="State"
        className="w-36"
        choices={states}
        value={search.state ?? "all"}
        onChange={(chosen) => change({ state: chosen === "all" ? undefined : chosen })}
      />
      {organizationId === undefined && may("organization:list") && (
        <OrganizationPicker
          label="Organization"
          placeholder="Organization"
          className="w-36"
          value={null}
          onChange={(chosen) => change({ organizationId: chosen?.value })}
        />
      )}
      {organizationId !== undefined && (
        <ChosenOrganization
          id={organizationId}
          onClear={() => change({ organizationId: undefined })}
        />
      )}
    </>
  );
};

export const WebhooksScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const search = { ...state.search, sort: "createdAt", dir: state.search.dir ?? "desc" } as const;
  const show = (open: "create" | undefined) =>
    void navigate({
      to: ".",
      search: { ...state.search, do: open },
      state: true,
      replace: open === undefined,
    });
  return (
    <Page title="Webhooks">
      <DataTable<ListedWebhook>
        name="webhooks"
        noun={["webhook", "webhooks"]}
        columns={webhookColumns}
        page={useWebhooks(search)}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ url }) => url}
        onOpen={({ id }) =>
          void navigate({ to: "/webhooks/$webhookId", params: { webhookId: id } })
        }
        searchLabel="Search by URL or description"
        exported={exportedWebhooks(search)}
        isFiltered={search.state !== undefined || search.organizationId !== undefined}
        filters={<Filters state={state} />}
        actions={
          may("webhook:create") && (
            <Button kind="primary" onClick={() => show("create")}>
              <Plus />
              Create webhook
            </Button>
          )
        }
        empty={
          <EmptyState title="No webhooks yet">
            A webhook sends events, such as new users, to a URL of your application.
          </EmptyState>
        }
      />
      {may("webhook:create") && search.do === "create" && (
        <CreateWebhook isOpen onOpenChange={() => show(undefined)} />
      )}
    </Page>
  );
};
