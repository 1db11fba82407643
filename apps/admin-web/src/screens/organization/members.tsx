import { useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { AddMember } from "./add-member.tsx";
import { changeableMemberColumns, memberColumns } from "./member-columns.tsx";
import type { OrganizationSearch } from "./organization-search.ts";
import { RoleFilter } from "./role-filter.tsx";
import { exportedMembers, useMembers } from "./use-members.ts";
import type { Member, Organization } from "./use-organization.ts";

/** In larger organizations the server searches by whole addresses and ids only. */
const lookedThroughMax = 1000;

const rowId = ({ id }: Member) => id;

const remove: BulkAction<Member> = {
  label: "Remove",
  isDangerous: true,
  consequence:
    "The users immediately lose their roles and teams in this organization. The user accounts are kept.",
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
        Add member
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
      noun={["member", "members"]}
      columns={mayChange ? changeableMemberColumns : memberColumns}
      page={page}
      state={{ ...state, search }}
      rowId={rowId}
      rowLabel={({ user }) => user.email}
      onOpen={({ userId }) => void navigate({ to: "/users/$userId", params: { userId } })}
      searchLabel={isLarge ? "Search by exact email or ID" : "Search members"}
      exported={exportedMembers(organization.id, search)}
      isFiltered={search.role !== undefined}
      filters={<RoleFilter role={search.role} onChange={state.change} />}
      bulkActions={mayChange ? [remove] : []}
      actions={mayChange && may("user:list") && <AddMemberButton organization={organization} />}
      empty={<EmptyState title="No members">Add a member, or delete the organization.</EmptyState>}
    />
  );
};
