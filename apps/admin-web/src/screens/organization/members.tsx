import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { RoleFilter } from "../../components/roles/role-filter.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { changeableMemberColumns, memberColumns } from "./member-columns.tsx";
import type { OrganizationSearch } from "./organization-search.ts";
import { type Member, type Organization, organizationQuery } from "./use-organization.ts";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { UserPicker } from "../../components/users/user-picker.tsx";
import { RoleChoice } from "../../components/roles/role-choice.tsx";
import { listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvMembers } from "../../components/export/csv-export.ts";
import { t } from "../../texts.ts";

/** The members of an organization that the address selects. */
const membersOf = (organizationId: string) =>
  listOf({
    operation: operations.organization.adminListOrganizationMembers,
    member: "members",
    inputOf: ({ q, role, dir, cursor }: OrganizationSearch) => ({
      params: { id: organizationId },
      query: {
        ...pageOf({ dir, cursor }),
        ...(q !== undefined && { searchValue: q }),
        ...(role !== undefined && { role }),
      },
    }),
    fileName: "members",
    csv: {
      ...csvMembers<Member>("id", "userId"),
      email: ({ user }) => user.email,
      name: ({ user }) => user.name,
      ...csvMembers<Member>("role", "createdAt"),
    },
  });

/** Queries the page of members that the address selects. A refetch also reloads the organization, which has the member count. */
const useMembers = (organizationId: string, search: OrganizationSearch) => {
  const client = useQueryClient();
  const page = useQuery(membersOf(organizationId).query(search));
  const refetch: typeof page.refetch = async (options) => {
    void client.invalidateQueries(organizationQuery(organizationId));
    return page.refetch(options);
  };
  return { ...page, refetch };
};

interface AddMemberProps {
  organization: Organization;
  roleNames: readonly string[];
  onClose: () => void;
}

/** The fields of error codes, and of values that the operation names differently. */
const fieldOf = {
  USER_NOT_FOUND: "user",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "user",
  userId: "user",
} as const;

const newMember = z.object({
  user: z
    .object({ value: z.string(), label: z.string() })
    .nullable()
    .refine((chosen) => chosen !== null, t("faults.chooseUser")),
  role: z.array(z.string()).min(1, t("roles.chooseOne")),
});

const AddMemberForm = ({ organization, roleNames, onClose }: AddMemberProps) => {
  const add = useOperation(operations.organization.adminAddMember, {
    showsError: true,
    done: (): string =>
      t("members.add.done", {
        name: form.getValues("user")?.label ?? t("audit.actors.user"),
        organization: organization.name,
      }),
    onDone: onClose,
  });
  const form = useForm<z.input<typeof newMember>>({
    resolver: zodResolver(newMember),
    defaultValues: { user: null, role: ["member"] },
    change: add,
    fieldOf,
    onSubmit: ({ user, role }) =>
      add.mutate({ params: { id: organization.id }, body: { userId: user?.value ?? "", role } }),
  });
  const user = form.choice("user");
  const roles = form.choice("role");
  return (
    <DialogForm form={form} action={t("members.add.action")} onClose={onClose}>
      <Field label={t("common.user")} error={form.errorOf("user")}>
        <UserPicker
          value={user.value}
          onChange={(chosen) => {
            user.onChange(chosen);
            add.reset();
          }}
        />
      </Field>
      <RoleChoice
        names={roleNames}
        chosen={roles.value}
        onChange={roles.onChange}
        error={form.errorOf("role")}
      />
    </DialogForm>
  );
};

/** Adds a user as a member without an invitation. */
const AddMember = (props: AddMemberProps) => (
  <Dialog
    title={t("members.add.action")}
    description={t("members.add.text")}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <AddMemberForm {...props} />
  </Dialog>
);

/** In larger organizations the server searches by whole addresses and ids only. */
const lookedThroughMax = 1000;

const rowId = ({ id }: Member) => id;

const remove: BulkAction<Member> = {
  label: t("common.remove"),
  isDangerous: true,
  consequence: t("members.bulkRemoveText"),
  run: ({ id, organizationId }) =>
    call(operations.organization.adminRemoveMember, {
      params: { id: organizationId },
      body: { memberId: id },
    }),
};

const AddMemberButton = ({ organization }: { organization: Organization }) => {
  const [isOpen, setIsOpen] = useState(false);
  const roleNames = useRoleNames(
    "organization.roles",
    organization.members.map(({ role }) => role),
  );
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        <UserPlus />
        {t("members.add.action")}
      </Button>
      {isOpen && (
        <AddMember
          organization={organization}
          roleNames={roleNames}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
};

interface MembersProps {
  organization: Organization;
  search: OrganizationSearch;
}

/** Lists the members of an organization and their roles. */
export const Members = ({ organization, search: given }: MembersProps) => {
  const search = { ...given, sort: "joined", dir: given.dir ?? ("asc" as const) };
  const state = useTableSearch(given);
  const navigate = useNavigate();
  const { may } = useAccess();
  const mayChange = may("organization:update");
  const page = useMembers(organization.id, search);
  const isLarge = organization.memberCount > lookedThroughMax;
  return (
    <DataTable<Member>
      name="members"
      rows="members"
      columns={mayChange ? changeableMemberColumns : memberColumns}
      page={page}
      state={{ ...state, search }}
      rowId={rowId}
      rowLabel={({ user }) => showEmail(user.email)}
      onOpen={({ userId }) => void navigate({ to: "/users/$userId", params: { userId } })}
      searchLabel={isLarge ? t("members.searchExact") : t("members.search")}
      exported={membersOf(organization.id).exported(search)}
      isFiltered={search.role !== undefined}
      filters={
        <RoleFilter option="organization.roles" role={search.role} onChange={state.change} />
      }
      bulkActions={mayChange ? [remove] : []}
      actions={mayChange && may("user:list") && <AddMemberButton organization={organization} />}
      empty={<EmptyState title={t("members.none")}>{t("members.noneText")}</EmptyState>}
    />
  );
};
